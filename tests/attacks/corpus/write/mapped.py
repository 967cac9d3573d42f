"""Changes a report through a mapping in memory."""

REFUSED = ["wrote_outside"]
NEEDS = 2
TOLD = {}

import mmap


def run_bare(names):
    with open(TOLD["report"], "r+b") as file, mmap.mmap(file.fileno(), 0) as shared:
        shared[0:1] = b"X"
    return names
