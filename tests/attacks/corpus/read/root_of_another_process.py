"""Goes to the secret through the root folder of another process, as /proc shows it."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    return [open(f"/proc/{TOLD['decoy']}/root{TOLD['secret']}").read(60)]
