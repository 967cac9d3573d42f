"""Goes to the secret through /proc/self/root."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}


def run_bare(names):
    return [open("/proc/self/root" + TOLD["secret"]).read(60)]
