"""Searches its own memory, which is a copy of the zygote's, for a secret."""

REFUSED = ["secret_read"]
NEEDS = 1
TOLD = {}

import re


def run_bare(names):
    told = set()
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            place, mode = line.split()[:2]
            low, high = (int(end, 16) for end in place.split("-"))
            if "r" not in mode or "[v" in line or high - low > 200_000_000:
                continue
            memory.seek(low)
            try:
                told.update(re.findall(rb"canary-[0-9a-f]{24}", memory.read(high - low)))
            except OSError:
                continue
    return [str(found) for found in told]
