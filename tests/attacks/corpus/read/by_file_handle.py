"""Opens the secret by the handle that the file system gives it, with no path at all."""

REFUSED = ["secret_read"]
NEEDS = 2
TOLD = {}

import ctypes
import os


class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_uint), ("type", ctypes.c_int), ("data", ctypes.c_ubyte * 128)]


def run_bare(names):
    libc = ctypes.CDLL(None, use_errno=True)
    handle, mount = Handle(128), ctypes.c_int()
    folder = os.open(".", os.O_RDONLY)
    if libc.name_to_handle_at(-100, TOLD["secret"].encode(), ctypes.byref(handle), ctypes.byref(mount), 0):
        return [os.strerror(ctypes.get_errno())]
    file = libc.open_by_handle_at(folder, ctypes.byref(handle), os.O_RDONLY)
    return [os.read(file, 60).decode()]
