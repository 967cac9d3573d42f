"""What the README shows is what the program says."""

from __future__ import annotations

import re
from pathlib import Path

from grader.notebook.checking import check
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_report_in_the_readme_is_a_real_one(course: Path) -> None:
    shown = next(
        block for block in re.findall(r"```\n(.*?)```", README, re.DOTALL) if block.startswith("agstate.append")
    )
    (seed,) = re.findall(r'seed="(\d+)"', shown)
    source = "from typing import TypedDict\n\n\nclass State(TypedDict, total=False):\n    trace: list\n"
    (course / "labs" / "agstate" / "state.py").write_text(source, encoding="utf-8")
    told = re.sub(r"saved \d+ s ago", "saved 4 s ago", repr(check("agstate.append", seed=seed)))
    assert told == shown.rstrip("\n")


def test_the_two_commands_stand_first() -> None:
    commands = re.findall(r"^python3 start.py .*$", README, re.MULTILINE)
    assert commands[:3] == [
        "python3 start.py lab",
        "python3 start.py test",
        "python3 start.py grade SUBMISSIONS --out REPORTS",
    ]


def test_every_file_that_the_readme_and_contributing_name_is_there() -> None:
    text = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"\]\(([\w/.-]+)\)|`((?:labs|grader|docs|tests|benchmarks)/[\w/.-]+)`", text)
    paths = {one or other for one, other in named if "agnew" not in one + other}
    assert len(paths) > 8
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
