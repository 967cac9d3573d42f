"""Gradescope's zip and GitHub's workflow, run as their hosts would: unpacked, submitted to, and the results read."""

from __future__ import annotations

import base64
import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grader.__main__ import app
from tests.conftest import ROOT, copy_of_the_course

yaml = pytest.importorskip("yaml")

SOLUTION = ROOT / "solutions" / "agstate" / "state.py"
METADATA = {"id": 7, "submission_method": "upload", "assignment": {"id": 1, "total_points": "10.0"}, "users": []}


def made(out: Path, *arguments: str) -> Path:
    done = CliRunner().invoke(app, ["export", *arguments, "--out", str(out)])
    assert done.exit_code == 0, done.output
    return out


def bash(script: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run as a host does: with nothing of this checkout on the import path."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}
    command = ["bash", str(script)] if isinstance(script, Path) else ["bash", "-eo", "pipefail", "-c", script]
    return subprocess.run(
        command, cwd=cwd, env={**kept, **variables}, capture_output=True, encoding="utf-8", check=False
    )


# ---------------------------------------------------------------- Gradescope


@pytest.fixture(scope="module")
def autograder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("gradescope") / "autograder.zip", "gradescope", "--lab", "agstate")


def unpacked(autograder: Path, root: Path) -> Path:
    """`/autograder` as Gradescope lays it out, somewhere else."""
    with zipfile.ZipFile(autograder) as archive:
        archive.extractall(root / "source")
    shutil.copy(root / "source" / "run_autograder", root / "run_autograder")
    for name in ("submission", "results"):
        (root / name).mkdir()
    (root / "submission_metadata.json").write_text(json.dumps(METADATA), encoding="utf-8")
    return root


def run(root: Path, python: str = sys.executable) -> tuple[int, dict[str, Any], str]:
    done = bash(root / "run_autograder", root, AUTOGRADER_ROOT=str(root), AUTOGRADER_PYTHON=python)
    results = (root / "results" / "results.json").read_text(encoding="utf-8")
    return done.returncode, json.loads(results), done.stdout + done.stderr


def test_the_zip_has_its_scripts_at_the_root_with_plain_line_ends_and_no_solution(autograder: Path) -> None:
    with zipfile.ZipFile(autograder) as archive:
        members = {member.filename: member for member in archive.infolist()}
        contents = {name: archive.read(name) for name in members}
    for name in ("setup.sh", "run_autograder"):
        assert stat.S_IMODE(members[name].external_attr >> 16) == 0o755
        assert contents[name].startswith(b"#!/usr/bin/env bash\n")
    assert "grader/labs/agstate/starter/state.py" in members and "constraints.txt" in members
    assert [name for name in members if "solutions" in name or "tests" in name or "__pycache__" in name] == []
    assert [name for name, content in contents.items() if b"\r" in content] == []
    assert b"\n-e" not in contents["constraints.txt"] and b"langgraph==" in contents["constraints.txt"]
    assert sum(map(len, contents.values())) < 5_000_000


def test_the_zip_is_the_same_bytes_whenever_it_is_made(autograder: Path, tmp_path: Path) -> None:
    again = made(tmp_path / "again.zip", "gradescope", "--lab", "agstate")
    assert again.read_bytes() == autograder.read_bytes()


def test_a_file_alone_in_a_submission_is_graded(autograder: Path, tmp_path: Path) -> None:
    root = unpacked(autograder, tmp_path)
    shutil.copy(SOLUTION, root / "submission" / "state.py")
    code, told, said = run(root)
    assert code == 0, said
    assert [(test["number"], test["score"], test["max_score"]) for test in told["tests"]] == [
        (f"1.{number}", 1, 1) for number in range(1, 11)
    ]
    assert told["output"].startswith("agstate: 10 of 10 steps passed.")


def test_a_starter_gets_0_with_every_step_and_an_empty_submission_too(autograder: Path, tmp_path: Path) -> None:
    root = unpacked(autograder, tmp_path)
    (root / "results" / "results.json").write_text("of an earlier run", encoding="utf-8")
    for _ in range(2):
        code, told, said = run(root)
        assert code == 0, said
        assert [(test["score"], test["max_score"]) for test in told["tests"]] == [(0, 1)] * 10
        shutil.copytree(ROOT / "labs", root / "submission" / "my labs", dirs_exist_ok=True)
    assert "there is no Python file in it" not in json.dumps(told)


def test_when_grading_cannot_begin_no_score_is_written_and_the_autograder_fails(
    autograder: Path, tmp_path: Path
) -> None:
    root = unpacked(autograder, tmp_path)
    code, told, _ = run(root, python="/bin/false")
    assert code == 1
    assert "score" not in json.dumps(told).replace("no score is given", "")
    assert "This is not your fault" in told["output"]


def test_the_set_up_installs_into_an_environment_of_its_own(autograder: Path, tmp_path: Path) -> None:
    """With every program that it calls replaced by one that writes down how it was called."""
    root = unpacked(autograder, tmp_path / "root")
    programs = tmp_path / "programs"
    programs.mkdir()
    note = f'#!/bin/sh\necho "$(basename "$0") $*" >> "{tmp_path}/calls"\n'
    for name in ("apt-get", "python3"):
        (programs / name).write_text(note, encoding="utf-8")
    (root / "venv" / "bin").mkdir(parents=True)
    (root / "venv" / "bin" / "python").write_text(note, encoding="utf-8")
    for program in (*programs.iterdir(), root / "venv" / "bin" / "python"):
        program.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    done = bash(root / "source" / "setup.sh", root / "source", AUTOGRADER_ROOT=str(root), PATH=path)
    assert done.returncode == 0, done.stderr
    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert calls[:3] == [
        "apt-get update",
        "apt-get install -y --no-install-recommends python3 python3-venv",
        f"python3 -m venv {root}/venv",
    ]
    assert calls[3].startswith("python -m pip install") and f"-c {root}/source/constraints.txt langgraph" in calls[3]


# ---------------------------------------------------------------- GitHub Classroom


def steps_of(workflow: Path) -> Mapping[str, Any]:
    content = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    job = content["jobs"]["autograding"]
    assert content["permissions"] == {"checks": "write", "actions": "read", "contents": "read"}
    return {**{step.get("name", step.get("uses")): step for step in job["steps"]}, "env": job["env"]}


def grade_step(workflow: Path, root: Path) -> tuple[subprocess.CompletedProcess[str], Mapping[str, str], str]:
    """The step `Grade` as a runner runs it: its exit, its outputs, its summary."""
    temporary, steps = root.parent / "temporary", steps_of(workflow)
    (temporary / "bin").mkdir(parents=True)
    python = temporary / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    done = bash(
        steps["Grade"]["run"],
        root,
        RUNNER_TEMP=str(temporary),
        GITHUB_WORKSPACE=str(root),
        GITHUB_OUTPUT=str(temporary / "output"),
        GITHUB_STEP_SUMMARY=str(temporary / "summary"),
        PATH=f"{temporary / 'bin'}{os.pathsep}{os.environ['PATH']}",
        **{name: str(value) for name, value in steps["env"].items()},
    )
    lines = (temporary / "output").read_text(encoding="utf-8").splitlines() if (temporary / "output").exists() else []
    summary = (temporary / "summary").read_text(encoding="utf-8") if (temporary / "summary").exists() else ""
    return done, dict(line.split("=", 1) for line in lines), summary


def checkout(root: Path) -> Path:
    """A learner's repository: the course with the solution of lab 1, and a file that must not be imported."""
    copy_of_the_course(root)
    shutil.copy(SOLUTION, root / "labs" / "agstate" / "state.py")
    (root / "json.py").write_text("raise SystemExit('this must not be imported')", encoding="utf-8")
    return root


@pytest.mark.parametrize("course", [None, "owner/course"], ids=["own grader", "grader of the course"])
def test_the_workflow_grades_a_push_and_hands_on_its_points(course: str | None, tmp_path: Path) -> None:
    root = checkout(tmp_path / "repository")
    shutil.copytree(ROOT / "grader", (root / "course" if course else root) / "grader")
    shutil.copy(ROOT / "requirements.txt", root / "course" if course else root)
    more = ["--course", course] if course else []
    workflow = made(root / ".github" / "workflows" / "classroom.yml", "github", "--lab", "agstate", *more)
    done, outputs, summary = grade_step(workflow, root)
    assert done.returncode == 0, done.stderr
    told = json.loads(base64.b64decode(outputs["result"]))
    assert (told["max_score"], sum(test["score"] for test in told["tests"]), outputs["code"]) == (10, 10, "0")
    assert "**agstate** · 10 of 10 steps passed" in summary
    steps = steps_of(workflow)
    assert steps["Points"]["env"] == {"GRADE_RESULTS": "${{ steps.grade.outputs.result }}"}
    assert steps["Verdict"]["run"] == "exit ${{ steps.grade.outputs.code }}"


def test_a_starter_gets_its_maximum_told_and_the_workflow_ends_red(tmp_path: Path) -> None:
    root = copy_of_the_course(tmp_path / "repository")
    shutil.copytree(ROOT / "grader", root / "grader")
    done, outputs, _ = grade_step(made(tmp_path / "w.yml", "github", "--lab", "agstate"), root)
    told = json.loads(base64.b64decode(outputs["result"]))
    assert (done.returncode, outputs["code"]) == (0, "1")
    assert (told["max_score"], told["status"], {test["score"] for test in told["tests"]}) == (10, "fail", {0})


def test_a_grader_that_fails_reports_no_points(tmp_path: Path) -> None:
    root = copy_of_the_course(tmp_path / "repository")
    (root / "grader").mkdir()
    fails = "import sys\nsys.exit(3 if 'grade' in sys.argv else 0)\n"
    (root / "grader" / "__main__.py").write_text(fails, encoding="utf-8")
    done, outputs, _ = grade_step(made(tmp_path / "w.yml", "github"), root)
    assert (done.returncode, dict(outputs)) == (3, {})
    assert "no points are reported" in done.stdout


def test_the_install_step_takes_the_exact_versions_without_the_project_itself(tmp_path: Path) -> None:
    steps = steps_of(made(tmp_path / "w.yml", "github"))
    line = steps["Install"]["run"].splitlines()[0]
    done = bash(line, ROOT, RUNNER_TEMP=str(tmp_path), COURSE=".")
    assert done.returncode == 0, done.stderr
    kept = (tmp_path / "constraints.txt").read_text(encoding="utf-8")
    assert "langgraph==" in kept and "-e" not in [each[:2] for each in kept.splitlines()]
