"""The trusted side of the wire: reads submissions, starts players, asks, waits, kills. Never imports learner code."""
