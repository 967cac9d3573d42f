"""What the README shows is what the program says."""

from __future__ import annotations

import re
from pathlib import Path

import grader
from grader.__main__ import app
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


def test_every_verb_and_every_option_of_a_command_is_in_the_readme() -> None:
    missing = [verb for verb in grader.__all__ if f"`{verb}(" not in README]
    commands = [command.callback.__name__ for command in app.registered_commands if command.callback]
    missing += [name for name in commands if not re.search(rf"(start\.py|grader) {name}\b", README) and name != "lint"]
    missing += [option for option in ("--seed", "--peek", "--submissions", "--step", "--lab") if option not in README]
    assert missing == []


def test_handing_in_and_an_update_over_own_files_are_told() -> None:
    assert "**Handing in.**" in README
    assert "git stash\ngit pull\ngit checkout stash@{0} -- labs/agstate/state.py" in README
