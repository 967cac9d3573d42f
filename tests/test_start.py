"""`start.py`: the commands it builds, the environment it chooses, when it installs, and what it says when it cannot.

Nothing is installed here: the functions that would are replaced. The one slow test makes a real environment, offline.
"""

from __future__ import annotations

import errno
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest
from packaging.requirements import Requirement

from grader.__main__ import Exit

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = Path(__file__).resolve().parent.parent
PYTHON = Path("env") / "bin" / "python"


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The module, in a project folder of its own, on a system that is not Windows."""
    spec = importlib.util.spec_from_file_location("start", PROJECT / "start.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "start", module)  # A dataclass looks its own module up.
    spec.loader.exec_module(module)
    root = tmp_path / "the lab of 민서"
    (root / "labs").mkdir(parents=True)
    for name in ("labs/00_start.ipynb", "labs/01_agstate.ipynb", *module.NEEDED_FOR_TESTS):
        (root / name).write_text("one\n", encoding="utf-8")
    monkeypatch.setattr(module, "ROOT", root)
    monkeypatch.setattr(module, "WINDOWS", False)
    return module


def run_start(*arguments: str, python: str | Path = sys.executable) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(python), str(PROJECT / "start.py"), *arguments], capture_output=True, encoding="utf-8", errors="replace"
    )


# ---------------------------------------------------------------- what is started


def test_lab_opens_the_first_notebook_and_prints_its_address(start: ModuleType) -> None:
    command = start.lab_command(PYTHON, ["--no-browser"], as_root=False)
    assert command[:7] == [str(PYTHON), "-I", "-X", "utf8", "-m", "jupyterlab", "-y"]
    assert "--LabApp.default_url=/lab/tree/00_start.ipynb" in command
    assert command[-1] == "--no-browser"
    assert "--allow-root" not in command


@pytest.mark.parametrize("named", ["01_agstate.ipynb", "labs/01_agstate.ipynb"])
def test_lab_opens_the_notebook_that_is_named(start: ModuleType, named: str) -> None:
    command = start.lab_command(PYTHON, [named, "--port=9999"], as_root=True)
    assert "--LabApp.default_url=/lab/tree/01_agstate.ipynb" in command
    assert named not in command
    assert {"--allow-root", "--port=9999"} < set(command)


def test_a_notebook_from_elsewhere_is_handed_on_with_its_whole_path(
    start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.ipynb").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert start.lab_command(PYTHON, ["mine.ipynb"], as_root=False)[-1] == str(tmp_path / "mine.ipynb")


def test_any_other_command_goes_to_the_grader(start: ModuleType) -> None:
    command = start.grader_command(PYTHON, ["grade", "in", "--out", "out"])
    assert command == [str(PYTHON), "-I", "-X", "utf8", "-m", "grader", "grade", "in", "--out", "out"]


def test_test_runs_ruff_mypy_and_pytest(start: ModuleType) -> None:
    commands = [command[2:] for command in start.test_commands(PYTHON, [])]
    assert commands == [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["pytest"]]


def test_test_with_arguments_runs_pytest_only(start: ModuleType) -> None:
    assert [command[2:] for command in start.test_commands(PYTHON, ["-k", "wire"])] == [["pytest", "-k", "wire"]]


def exits(code: int) -> list[str]:
    return [sys.executable, "-c", f"raise SystemExit({code})"]


def test_all_checks_run_and_the_first_failure_is_the_exit_code(
    start: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []
    codes = iter([0, 4, 0, 1])
    monkeypatch.setattr(start, "run", lambda command, cwd, variables: (ran.append(command) or next(codes), False))
    assert start.run_tests(start.test_commands(PYTHON, []), {}) == 4
    assert len(ran) == 4
    assert "Did not pass: ruff format, pytest." in capsys.readouterr().err


@pytest.mark.parametrize("code", [0, 5])
def test_the_exit_code_of_a_command_is_passed_on(start: ModuleType, code: int) -> None:
    assert start.run(exits(code), PROJECT, os.environ) == (code, False)


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no signals")
def test_a_command_ended_by_a_signal_counts_as_a_shell_counts_it(start: ModuleType) -> None:
    command = [sys.executable, "-c", "import os; os.kill(os.getpid(), 15)"]
    assert start.run(command, PROJECT, os.environ) == (128 + 15, False)


def test_a_child_gets_this_environment_and_no_other(start: ModuleType) -> None:
    environment = start.Environment(Path("env"), PYTHON, ours=True)
    given = {"PATH": "before", "PYTHONPATH": "x", "PYTHONHOME": "x", "PIP_TARGET": "x", "VIRTUAL_ENV": "x", "HOME": "h"}
    variables = start.variables_for(environment, {**given, "PYTHONDONTWRITEBYTECODE": "1"})
    assert variables["PATH"].split(os.pathsep) == [str(PYTHON.parent), "before"]
    assert (variables["VIRTUAL_ENV"], variables["HOME"], variables["PYTHONUTF8"]) == ("env", "h", "1")
    assert not {"PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PYTHONDONTWRITEBYTECODE"} & set(variables)


@pytest.mark.parametrize(("given", "after"), [({}, []), ({"JUPYTER_CONFIG_PATH": "theirs"}, ["theirs"])])
def test_jupyterlab_gets_the_settings_of_the_course_first(
    start: ModuleType, given: dict[str, str], after: list[str]
) -> None:
    variables = start.variables_for(start.Environment(Path("env"), PYTHON, ours=True), given)
    assert variables["JUPYTER_CONFIG_PATH"].split(os.pathsep) == [str(start.ROOT / ".jupyter"), *after]


# ---------------------------------------------------------------- which Python


@pytest.mark.parametrize("version", [(3, 10), (3, 11), (3, 12), (3, 13)])
def test_a_supported_python_is_accepted(start: ModuleType, version: tuple[int, int]) -> None:
    start.refuse_python(version)


@pytest.mark.parametrize("version", [(3, 9), (3, 14)])
def test_another_python_is_refused_and_an_installed_one_named(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, version: tuple[int, int]
) -> None:
    installed = {Path("python3.12"): (3, 12), Path("python3.10"): (3, 10)}
    monkeypatch.setattr(start, "version_of", installed.get)
    with pytest.raises(start.Problem) as refused:
        start.refuse_python(version, "lab --no-browser")
    assert str(refused.value) == (
        f"This is Python 3.{version[1]}; the labs need 3.10, 3.11, 3.12 or 3.13. "
        "Run `python3.12 start.py lab --no-browser`."
    )


def test_a_download_page_is_named_when_no_good_python_is_there(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "version_of", lambda python: None)
    with pytest.raises(start.Problem, match=r"Install Python 3.13 from https://www.python.org/downloads/"):
        start.refuse_python((3, 8), "lab")


def test_windows_is_told_about_its_launcher(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "version_of", lambda python: None)
    monkeypatch.setattr(start, "WINDOWS", True)
    with pytest.raises(start.Problem, match=r"run `py -3.13 start.py lab`"):
        start.refuse_python((3, 8), "lab")


def old_pythons() -> list[Path]:
    """Pythons too old for the labs, beside the one that runs: there are some where several are installed."""
    return sorted(Path(sys.base_prefix).parent.glob("*/bin/python[23].[0-9]"))


@pytest.mark.skipif(not old_pythons(), reason="no old Python is installed beside this one")
def test_an_old_python_gets_a_sentence() -> None:
    for python in old_pythons():
        answer = run_start("lab", python=python)
        assert answer.returncode in (1, 69), python
        assert re.search(r"needs? (Python )?3\.10, 3\.11, 3\.12 or 3\.13", answer.stderr), python
        assert "Traceback" not in answer.stderr, python


# ---------------------------------------------------------------- which environment


def test_without_an_active_environment_dot_venv_is_used(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    environment = start.choose_environment({})
    assert environment == start.Environment(start.ROOT / ".venv", start.ROOT / ".venv" / "bin" / "python", ours=True)


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        ({"VIRTUAL_ENV": "active"}, True),
        ({"CONDA_PREFIX": "active", "CONDA_DEFAULT_ENV": "labs"}, True),
        ({"CONDA_PREFIX": "active", "CONDA_DEFAULT_ENV": "base"}, False),
        ({"CONDA_PREFIX": "active"}, False),
    ],
)
def test_an_active_environment_is_used_but_never_the_base_of_conda(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], found: bool
) -> None:
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setattr(start, "version_of", lambda python: (3, 12))
    environment = start.choose_environment(variables)
    assert (environment.prefix == Path("active"), environment.ours) == (found, not found)


def test_an_active_environment_with_an_old_python_is_passed_over(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.setattr(start, "version_of", lambda python: (3, 9))
    assert start.choose_environment({"VIRTUAL_ENV": "active"}).ours
    assert "so .venv is used instead" in capsys.readouterr().err


def test_the_python_of_an_environment_lies_elsewhere_on_windows(start: ModuleType, tmp_path: Path) -> None:
    assert start.python_in(tmp_path, windows=False) == tmp_path / "bin" / "python"
    assert start.python_in(tmp_path, windows=True) == tmp_path / "Scripts" / "python.exe"
    (tmp_path / "python.exe").write_text("", encoding="utf-8")
    assert start.python_in(tmp_path, windows=True) == tmp_path / "python.exe"


def test_the_version_of_a_missing_or_broken_python_is_none(start: ModuleType, tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("no program", encoding="utf-8")
    broken.chmod(0o755)
    assert [start.version_of(each) for each in (tmp_path / "missing", broken)] == [None, None]
    assert start.version_of(Path(sys.executable)) == sys.version_info[:2]


# ---------------------------------------------------------------- when it installs


class Machine:
    """Notes what would have been made and installed; the environment has a Python and pip once it is made."""

    def __init__(self, start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
        self.start = start
        self.did: list[str] = []
        self.version: tuple[int, int] | None = None
        self.environment = start.Environment(start.ROOT / ".venv", start.ROOT / ".venv" / "bin" / "python", ours=True)
        monkeypatch.setattr(start, "version_of", lambda python: self.version)
        monkeypatch.setattr(start, "has_pip", lambda environment: True)
        monkeypatch.setattr(start, "make", self.make)
        monkeypatch.setattr(start, "install", self.install)

    def make(self, environment: Any) -> None:
        self.did.append("make")
        self.version = (3, 12)
        environment.prefix.mkdir(exist_ok=True)
        (environment.prefix / "pyvenv.cfg").write_text(f"prompt = {self.start.PROMPT}", encoding="utf-8")

    def install(self, environment: Any, requirements: str) -> None:
        self.did.append(requirements)

    def prepare(self, needed: tuple[str, ...] | None = None) -> list[str]:
        """What one start did."""
        self.did.clear()
        self.start.prepare(self.environment, needed or self.start.NEEDED)
        return list(self.did)


@pytest.fixture
def machine(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(start, monkeypatch)


def test_the_first_start_installs_and_the_second_does_nothing(machine: Machine) -> None:
    assert machine.prepare() == ["make", "requirements.txt"]
    assert machine.prepare() == []


def test_a_changed_file_of_requirements_is_installed_into_the_same_environment(machine: Machine) -> None:
    machine.prepare()
    (machine.start.ROOT / "requirements.txt").write_text("two\n", encoding="utf-8")
    assert machine.prepare() == ["requirements.txt"]
    assert machine.prepare() == []


def test_what_the_tests_need_contains_what_the_labs_need(machine: Machine) -> None:
    assert machine.prepare(machine.start.NEEDED_FOR_TESTS) == ["make", "requirements-dev.txt"]
    assert machine.prepare() == []


def test_what_the_labs_need_is_not_enough_for_the_tests(machine: Machine) -> None:
    machine.prepare()
    assert machine.prepare(machine.start.NEEDED_FOR_TESTS) == ["requirements-dev.txt"]


def test_a_project_that_was_moved_is_installed_again(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.prepare()
    moved = machine.start.ROOT.with_name("moved")
    machine.start.ROOT.rename(moved)
    monkeypatch.setattr(machine.start, "ROOT", moved)
    machine.environment = machine.start.Environment(moved / ".venv", moved / ".venv" / "bin" / "python", ours=True)
    assert machine.prepare() == ["requirements.txt"]


def test_another_python_in_the_environment_is_installed_again(machine: Machine) -> None:
    machine.prepare()
    machine.version = (3, 13)
    assert machine.prepare() == ["requirements.txt"]


def test_a_broken_environment_is_made_anew(machine: Machine) -> None:
    machine.prepare()
    machine.version = None
    assert machine.prepare() == ["make", "requirements.txt"]


def fails(*_: Any) -> NoReturn:
    raise KeyboardInterrupt


def test_a_first_installation_that_did_not_end_starts_from_nothing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(machine.start, "install", fails)
        with pytest.raises(KeyboardInterrupt):
            machine.prepare()
    assert machine.prepare() == ["make", "requirements.txt"]


@pytest.mark.parametrize("afterwards", ["one\n", "two\n"])
def test_a_later_installation_that_did_not_end_is_done_again_in_place(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, afterwards: str
) -> None:
    machine.prepare()
    (machine.start.ROOT / "requirements.txt").write_text("two\n", encoding="utf-8")
    with monkeypatch.context() as broken:
        broken.setattr(machine.start, "install", fails)
        with pytest.raises(KeyboardInterrupt):
            machine.prepare()
    (machine.start.ROOT / "requirements.txt").write_text(afterwards, encoding="utf-8")
    assert machine.prepare() == ["requirements.txt"]


def test_the_environment_of_somebody_else_is_never_made_anew(machine: Machine, tmp_path: Path) -> None:
    machine.version = (3, 12)
    (tmp_path / "theirs").mkdir()
    machine.environment = machine.start.Environment(tmp_path / "theirs", tmp_path / "theirs" / "python", ours=False)
    assert machine.prepare() == ["requirements.txt"]
    assert machine.prepare() == []


# ---------------------------------------------------------------- what it says


def cannot_write(*_: Any, **__: Any) -> NoReturn:
    raise OSError(errno.EROFS, "Read-only file system")


def test_a_read_only_folder_is_refused_before_anything_is_made(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine.start.tempfile, "TemporaryFile", cannot_write)
    with pytest.raises(machine.start.Problem, match=r"cannot be written \(Read-only file system\)\. Copy the project"):
        machine.prepare()
    assert machine.did == []


def test_a_read_only_folder_that_is_ready_is_fine(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.prepare()
    monkeypatch.setattr(machine.start.tempfile, "TemporaryFile", cannot_write)
    assert machine.prepare() == []


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("WARNING: Retrying after connection broken by 'NewConnectionError'", "The package index could not be reached"),
        ("ERROR: Could not install: [Errno 28] No space left on device", "The disk is full"),
        ("ERROR: [Errno 13] Permission denied: 'x'", "A file of the environment could not be written"),
        ("PermissionError: [WinError 32] used by another process", "A file of the environment could not be written"),
        (
            "ERROR: No matching distribution found for y",
            "No matching distribution found for y\n\npip could not install",
        ),
    ],
)
def test_the_reason_why_pip_failed_is_one_sentence(start: ModuleType, log: str, said: str) -> None:
    assert said in start.why_pip_failed(log)


@pytest.mark.parametrize(
    ("accident", "code", "said"),
    [
        ("Problem", 69, "\nDo this.\n"),
        (OSError(errno.ENOSPC, "No space left"), 69, "A file could not be read or written: [Errno 28] No space left."),
        (KeyboardInterrupt(), 130, "Stopped. The same command goes on from here."),
    ],
)
def test_an_accident_ends_with_a_sentence_and_a_code(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: Any, accident: Any, code: int, said: str
) -> None:
    def happens(arguments: list[str]) -> NoReturn:
        raise start.Problem("Do this.") if accident == "Problem" else accident

    monkeypatch.setattr(start, "start", happens)
    assert start.main(["lab"]) == code
    output = capsys.readouterr()
    assert (output.out, said in output.err) == ("", True)


def test_no_command_of_the_grader_ends_as_a_failed_setup_ends(start: ModuleType) -> None:
    assert start.SETUP_FAILED not in {int(code) for code in Exit}


@pytest.mark.parametrize(
    ("arguments", "code"), [([], 2), (["--help"], 0), (["-h"], 0), (["lab", "--help"], 0), (["--what"], 2)]
)
def test_help_is_printed_without_setting_anything_up(arguments: list[str], code: int) -> None:
    answer = run_start(*arguments)
    assert (answer.returncode, answer.stderr) == (code, "")
    assert "python3 start.py lab" in answer.stdout


# ---------------------------------------------------------------- what it installs


def pins(name: str) -> dict[str, list[Requirement]]:
    """Every requirement of a file, under its name."""
    found: dict[str, list[Requirement]] = {}
    for line in (PROJECT / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("-"):
            requirement = Requirement(line)
            found.setdefault(requirement.name, []).append(requirement)
    return found


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_one_exact_version(name: str) -> None:
    specifiers = [str(each.specifier) for same in pins(name).values() for each in same]
    assert [each for each in specifiers if not re.fullmatch(r"==[^,*]+", each)] == []


def test_every_pin_lies_in_the_range_of_the_project() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = {**pins("requirements.txt"), **pins("requirements-dev.txt")}
    ranges = [Requirement(each) for each in [*project["dependencies"], *project["optional-dependencies"]["dev"]]]
    versions = {each.name: [str(pin.specifier).lstrip("=") for pin in pinned[each.name]] for each in ranges}
    assert [each for each in ranges if not all(each.specifier.contains(one) for one in versions[each.name])] == []


def test_the_tools_come_on_top_of_what_the_labs_need() -> None:
    assert (PROJECT / "requirements-dev.txt").read_text(encoding="utf-8").startswith("-r requirements.txt\n")
    assert "-e ." in (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert not set(pins("requirements.txt")) & set(pins("requirements-dev.txt"))


@pytest.mark.slow
def test_offline_a_real_environment_is_made_and_the_index_is_named(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    (start.ROOT / "requirements.txt").write_text("langgraph==1.2.24\n", encoding="utf-8")
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    offline = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "1"}
    for name, value in {**offline, "PIP_NO_CACHE_DIR": "1"}.items():
        monkeypatch.setenv(name, value)
    prefix = start.ROOT / ".venv"
    environment = start.Environment(prefix, start.python_in(prefix, windows=os.name == "nt"), ours=True)
    with pytest.raises(start.Problem, match=r"The package index could not be reached.*Then run the same command again"):
        start.prepare(environment, start.NEEDED)
    assert start.version_of(environment.python) == sys.version_info[:2]
    assert start.must_be_made(environment, sys.version_info[:2])
