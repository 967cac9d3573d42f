"""Who may import whom: the frame of the grader, held by a look at the imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

GRADER = ROOT / "grader"
FILES = {
    file.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): file
    for file in GRADER.rglob("*.py")
    if "starter" not in file.parts
}


def imports_of(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def reaching(prefixes: tuple[str, ...], *parts: str) -> list[str]:
    """Modules under `prefixes`, acts excepted, that import something that begins with one of `parts`."""
    return [
        f"{name} imports {target}"
        for name, file in FILES.items()
        if name.startswith(prefixes) and not name.endswith("acts")
        for target in imports_of(file)
        if any(target == part or target.startswith(f"{part}.") for part in parts)
    ]


def test_the_player_imports_nothing_of_the_grader_but_its_own_folder() -> None:
    acts = tuple(name for name in FILES if name.endswith("acts"))
    for name in [name for name in FILES if name.startswith("grader.player") or name in acts]:
        ours = {target for target in imports_of(FILES[name]) if target.split(".")[0] == "grader"}
        assert {target for target in ours if not target.startswith("grader.player") and target != "grader"} == set(), (
            name
        )


def test_the_referee_and_the_judges_never_import_langgraph() -> None:
    trusted = tuple(
        f"grader.{part}" for part in ("grading", "labs", "referee", "render", "cohort", "commands", "model")
    )
    assert reaching(trusted, "langgraph", "langchain_core") == []
    assert "langgraph.graph.StateGraph" in imports_of(FILES["grader.labs.agstate.acts"])


def test_renderers_and_labs_know_the_model_and_not_the_grading() -> None:
    judging = ("grader.grading", "grader.cohort", "grader.notebook", "grader.commands")
    assert reaching(("grader.render",), "grader.labs", "grader.referee", *judging) == []
    assert reaching(("grader.labs",), "grader.referee", *judging) == []


def test_the_words_of_the_lab_need_the_standard_library_only() -> None:
    own = {target.split(".")[0] for name in ("grader.model", "grader.draw") for target in imports_of(FILES[name])}
    assert own - {"grader"} <= set(sys.stdlib_module_names)


def test_no_trusted_process_loads_langgraph_to_grade() -> None:
    code = "import sys, grader.grading, grader.cohort.grade, grader.catalog; grader.catalog.labs(); "
    code += "sys.exit('langgraph' in sys.modules or 'langchain_core' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_has_one_concept_and_no_more_than_300_lines(name: str) -> None:
    lines = FILES[name].read_text(encoding="utf-8").count("\n")
    assert lines <= 300 or name.endswith("texts"), f"{name} has {lines} lines"
