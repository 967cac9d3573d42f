"""The walls from the referee's side: which are wanted, how the outer one is called, and what a canary sees of them."""
