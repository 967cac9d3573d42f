"""Many submissions: intake, a pool of workers, results written as each learner ends, summaries over all."""
