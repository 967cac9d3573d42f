"""Gradescope's autograder zip: two scripts, the exact versions, and the grader itself. The same course, the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

from grader.render import hosts
from grader.render.csv_form import CannotFill

_GRADER = Path(__file__).resolve().parent.parent
_BINARY = frozenset({".png"})


def autograder_zip(slugs: Sequence[str]) -> bytes:
    """The zip. Solutions and tests are not in it: grading needs neither. Raises CannotFill outside of a checkout."""
    requirements = _GRADER.parent / "requirements.txt"
    if not requirements.is_file():
        raise CannotFill("The autograder is made from a checkout of the course. Run this in its folder.")
    files = {
        "setup.sh": hosts.setup_sh().encode(),
        "run_autograder": hosts.run_autograder(slugs).encode(),
        "constraints.txt": hosts.constraints(requirements.read_text(encoding="utf-8")).encode(),
    }
    for file in sorted(_GRADER.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            files[f"grader/{file.relative_to(_GRADER).as_posix()}"] = _with_plain_ends(file)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(_member(name), content)
    return packed.getvalue()


def _member(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)  # Without a date of its own: the bytes are the same whenever it is made.
    member.compress_type = zipfile.ZIP_DEFLATED
    member.create_system = 3  # Unix, wherever it is made: otherwise the permissions are not read.
    member.external_attr = (0o100755 if name in ("setup.sh", "run_autograder") else 0o100644) << 16
    return member


def _with_plain_ends(file: Path) -> bytes:
    content = file.read_bytes()
    return content if file.suffix in _BINARY else content.replace(b"\r\n", b"\n")
