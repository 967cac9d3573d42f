"""Makes a file without a name in the results folder, writes it, and names it last."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import os


def run_bare(names):
    file = os.open(TOLD["results"], os.O_TMPFILE | os.O_WRONLY)
    os.write(file, b"here")
    os.link(f"/proc/self/fd/{file}", TOLD["results"] + "/me.json", follow_symlinks=True)
    return names
