"""The side of the wire where learner code runs. Imports nothing of the grader but this folder and a lab's acts."""
