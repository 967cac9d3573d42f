"""The verbs of a notebook. Each gives an object that shows itself; none raises for what a learner's file does."""
