"""Copies the stack of another process into its own by process_vm_readv."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}

import ctypes


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def run_bare(names):
    with open(f"/proc/{TOLD['decoy']}/maps") as maps:
        place = next(line for line in maps if "[stack]" in line).split()[0]
    low, high = (int(end, 16) for end in place.split("-"))
    taken = ctypes.create_string_buffer(high - low)
    here, there = Piece(ctypes.addressof(taken), high - low), Piece(low, high - low)
    ctypes.CDLL(None).process_vm_readv(TOLD["decoy"], ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    at = taken.raw.find(b"canary-")
    return [taken.raw[at : at + 60].decode("latin-1")]
