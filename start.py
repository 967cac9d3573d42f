"""Sets everything up, then hands over: `lab` to JupyterLab, `test` to the tests, any other command to the grader.

Standard library only, and no syntax newer than Python 3.7: an older Python gets a sentence here, not a traceback.
"""

from __future__ import annotations  # This project needs Python 3.10, 3.11, 3.12 or 3.13.

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HELP = """\
Write one command after start.py (on Windows, `py start.py` instead of `python3 start.py`):

  python3 start.py lab                               open the labs in JupyterLab; --no-browser only prints the address
  python3 start.py test                              run all checks: ruff, mypy and pytest
  python3 start.py grade SUBMISSIONS --out REPORTS   grade a folder of submissions
  python3 start.py check | doctor | ...              every other command of `python -m grader`

What follows `lab` goes to JupyterLab, what follows `test` goes to pytest (then only pytest runs). The first start
installs the packages into .venv, or into the virtual environment that is active. Later starts take no time."""

ROOT: Path = Path(__file__).absolute().parent  # This project needs Python 3.10, 3.11, 3.12 or 3.13.
SUPPORTED = ((3, 10), (3, 11), (3, 12), (3, 13))
FIRST_NOTEBOOK = "00_start.ipynb"
PROMPT = "langgraph-teaching-lab"
NEEDED: tuple[str, ...] = ("pyproject.toml", "requirements.txt")
NEEDED_FOR_TESTS = (*NEEDED, "requirements-dev.txt")
ALL_NEEDED = (NEEDED, NEEDED_FOR_TESTS)
SETUP_FAILED = 69  # EX_UNAVAILABLE: no grader command ends with it, so a script can tell the two apart.
WINDOWS = os.name == "nt"


class Problem(Exception):
    """Something only the person at the keyboard can change; its text says what to do."""


@dataclass(frozen=True)
class Environment:
    """A place with a Python of its own that packages are installed into."""

    prefix: Path
    python: Path
    ours: bool  # `.venv` of this project: the only one that may be made anew.


def main(arguments: Sequence[str]) -> int:
    """The exit code of the command that was asked for."""
    try:
        return start(list(arguments))
    except Problem as problem:
        say(f"\n{problem}")
        return SETUP_FAILED
    except OSError as error:
        say(f"\nA file could not be read or written: {error}. Mend that, then run the same command again.")
        return SETUP_FAILED
    except KeyboardInterrupt:
        say("\nStopped. The same command goes on from here.")
        return 130


def start(arguments: list[str]) -> int:
    command, rest = (arguments[0], arguments[1:]) if arguments else ("--help", [])
    if command.startswith("-") or (command in ("lab", "test") and rest[:1] in (["-h"], ["--help"])):
        print(HELP)
        return 0 if {"-h", "--help"} & set(arguments) else 2
    refuse_python(sys.version_info[:2])
    environment = choose_environment(os.environ)
    needed = NEEDED_FOR_TESTS if command == "test" else NEEDED
    prepare(environment, needed)
    variables = variables_for(environment, os.environ)
    if command == "test":
        return run_tests(test_commands(environment.python, rest), variables)
    if command == "lab":
        say("JupyterLab opens in the browser. If no page opens, visit the address below. Ctrl-C ends it.")
        return hand_over(lab_command(environment.python, rest, as_root=runs_as_root()), ROOT / "labs", variables)
    return hand_over(grader_command(environment.python, arguments), Path.cwd(), variables)


# What is handed over to. `-I` keeps the current folder off the import path: a learner's `json.py` must not be found there.


def lab_command(python: Path, arguments: Sequence[str], *, as_root: bool) -> list[str]:
    """JupyterLab on the labs, without news or update requests; one Ctrl-C ends it (`-y`).

    Every address it prints leads to the notebook that was named, or to the first one.
    """
    quiet = [
        "--log-level=WARN", "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    root = ["--allow-root"] if as_root else []
    ours = [each for each in arguments if each.endswith(".ipynb") and (ROOT / "labs" / Path(each).name).is_file()]
    first = f"--LabApp.default_url=/lab/tree/{Path(ours[0]).name if ours else FIRST_NOTEBOOK}"
    rest = [str(Path(each).absolute()) if Path(each).is_file() else each for each in arguments if each not in ours]
    return [str(python), "-I", "-X", "utf8", "-m", "jupyterlab", "-y", *quiet, *root, first, *rest]


def grader_command(python: Path, arguments: Sequence[str]) -> list[str]:
    return [str(python), "-I", "-X", "utf8", "-m", "grader", *arguments]


def test_commands(python: Path, arguments: Sequence[str]) -> list[list[str]]:
    """All checks, pytest last; only pytest when there are arguments for it."""
    checks = [] if arguments else [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
    return [[str(python), "-m", *check] for check in [*checks, ["pytest", *arguments]]]


def run_tests(commands: Sequence[list[str]], variables: Mapping[str, str]) -> int:
    """0 if every check passed; the exit code of the first that did not otherwise. All of them run."""
    failed: dict[str, int] = {}
    for command in commands:
        title = " ".join(command[2:4]) if "ruff" in command else command[2]
        say(f"> {title}")
        code, interrupted = run(command, ROOT, variables)
        if interrupted:
            return 130
        if code != 0:
            failed[title] = code
    if failed:
        say(f"\nDid not pass: {', '.join(failed)}.")
    return next(iter(failed.values()), 0)


def hand_over(command: list[str], cwd: Path, variables: Mapping[str, str]) -> int:
    """End as the command ends. On POSIX this process becomes the command, so signals reach it directly."""
    if WINDOWS:
        return run(command, cwd, variables)[0]
    sys.stdout.flush()
    sys.stderr.flush()
    os.chdir(cwd)
    return os.execve(command[0], command, dict(variables))


def run(command: list[str], cwd: Path, variables: Mapping[str, str]) -> tuple[int, bool]:
    """The exit code, and whether Ctrl-C was pressed: the command got it too, and is waited for."""
    interrupted = False
    process = subprocess.Popen(command, cwd=cwd, env=dict(variables))
    while True:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            interrupted = True
        else:
            return (code if code >= 0 else 128 - code), interrupted


def variables_for(environment: Environment, variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of a child: this environment and no other, no personal packages, UTF-8, bytecode written."""
    dropped = {"PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"}
    return {
        **{name: value for name, value in variables.items() if name not in dropped},
        "VIRTUAL_ENV": str(environment.prefix),
        "PATH": os.pathsep.join([str(environment.python.parent), variables.get("PATH", os.defpath)]),
        "PYTHONNOUSERSITE": "1",
        "PYTHONUTF8": "1",
        "PIP_USER": "0",
        # JupyterLab's own settings for this course: it asks nobody about news.
        "JUPYTER_CONFIG_PATH": os.pathsep.join(
            filter(None, [str(ROOT / ".jupyter"), variables.get("JUPYTER_CONFIG_PATH")])
        ),
        "JUPYTER_PREFER_ENV_PATH": "1",  # A kernel called `python3` in the home folder must not win over ours.
    }


# Which environment.


def refuse_python(version: tuple[int, int], command: str = " ".join(sys.argv[1:])) -> None:
    """Raise unless this Python can run the labs; the message names one that can, if it is installed."""
    if version in SUPPORTED:
        return
    names = [f"python{major}.{minor}" for major, minor in reversed(SUPPORTED)]
    found = next((name for name in names if version_of(Path(name)) in SUPPORTED), None)
    advice = (
        f"Run `{found} start.py {command}`." if found else "Install Python 3.13 from https://www.python.org/downloads/."
    )
    if WINDOWS:
        advice = f"`py --list` shows what is installed. With 3.13 there, run `py -3.13 start.py {command}`."
    raise Problem(f"This is Python {version[0]}.{version[1]}; the labs need 3.10, 3.11, 3.12 or 3.13. {advice}")


def choose_environment(variables: Mapping[str, str]) -> Environment:
    """The active virtual environment if its Python can run the labs; `.venv` in the project otherwise."""
    project = ROOT / ".venv"
    for prefix in active_prefixes(variables):
        if prefix == project:
            break
        python = Path(sys.executable) if prefix == Path(sys.prefix) else python_in(prefix)
        if version_of(python) in SUPPORTED:
            say(f"The active environment is used: {prefix}")
            return Environment(prefix, python, ours=False)
        say(f"The active environment has no Python 3.10 to 3.13, so .venv is used instead: {prefix}")
    return Environment(project, python_in(project), ours=True)


def active_prefixes(variables: Mapping[str, str]) -> Iterable[Path]:
    if sys.prefix != sys.base_prefix:
        yield Path(sys.prefix)
    elif variables.get("VIRTUAL_ENV"):
        yield Path(variables["VIRTUAL_ENV"])
    elif variables.get("CONDA_PREFIX") and variables.get("CONDA_DEFAULT_ENV", "base") != "base":
        yield Path(variables["CONDA_PREFIX"])


def python_in(prefix: Path, *, windows: bool = WINDOWS) -> Path:
    """Where the Python of a virtual or conda environment is, or would be."""
    if not windows:
        return prefix / "bin" / "python"
    conda = prefix / "python.exe"
    return conda if conda.exists() else prefix / "Scripts" / "python.exe"


def version_of(python: Path) -> tuple[int, int] | None:
    """The version of a Python that starts; None if it is missing or broken."""
    ask = "import sys; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run([str(python), "-I", "-S", "-c", ask], stdout=subprocess.PIPE, timeout=60, check=True)
        major, minor = answer.stdout.split()
        return int(major), int(minor)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


# Making it ready.


def prepare(environment: Environment, needed: Sequence[str]) -> None:
    """Install what is missing. Only a finished installation is stamped as ready; anything less is done again."""
    version = version_of(environment.python)
    if version in SUPPORTED and stamped(environment, needed) == digest(needed, version):
        return
    refuse_read_only_folder()
    began = time.monotonic()
    say(f"Setting up {environment.prefix}. The first time this takes one to five minutes and about 700 MB.")
    if environment.ours and must_be_made(environment, version):
        make(environment)
        version = version_of(environment.python)
    spoilt = [each for each in ALL_NEEDED if stamped(environment, each) not in ("", digest(each, version))]
    for each in spoilt:
        stamp(environment, each).write_text("unfinished", encoding="utf-8")
    install(environment, needed[-1])
    finished = [each for each in ALL_NEEDED if set(each) <= set(needed)]
    for each in finished:
        stamp(environment, each).write_text(digest(each, version), encoding="utf-8")
    say(f"Ready after {time.monotonic() - began:.0f} seconds.")


def stamp(environment: Environment, needed: Sequence[str]) -> Path:
    return environment.prefix / f"{PROMPT}-{Path(needed[-1]).stem}.ready"


def stamped(environment: Environment, needed: Sequence[str]) -> str:
    """The digest of the last finished installation, "unfinished" if a later one did not end, or nothing."""
    place = stamp(environment, needed)
    return place.read_text(encoding="utf-8") if place.is_file() else ""


def digest(needed: Sequence[str], version: tuple[int, int] | None) -> str:
    """Changes with the project's place, the Python version and the text of the files that name what is needed."""
    sha = hashlib.sha256(os.fsencode(ROOT) + repr(version).encode())
    for name in needed:
        sha.update(name.encode() + (ROOT / name).read_bytes())
    return sha.hexdigest()


def must_be_made(environment: Environment, version: tuple[int, int] | None) -> bool:
    """Whether `.venv` is absent, broken, or one that this program began and never finished."""
    if version not in SUPPORTED or not has_pip(environment):
        return True
    begun_here = PROMPT in (environment.prefix / "pyvenv.cfg").read_text(encoding="utf-8")
    return begun_here and not stamped(environment, NEEDED)


def make(environment: Environment) -> None:
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        package = "python{}.{}-venv".format(*sys.version_info[:2])
        raise Problem(
            "This Python cannot make a virtual environment: its `venv` or `ensurepip` part is not installed.\n"
            f"On Debian or Ubuntu, run `sudo apt install {package}` (or `python3-venv`), then the same command again."
        )
    program = getattr(sys, "_base_executable", sys.executable)
    code, log = logged(
        [program, "-I", "-m", "venv", "--clear", "--prompt", PROMPT, str(environment.prefix)], environment
    )
    if code != 0:
        said = tail(log, lines=1)
        raise Problem(
            f".venv could not be made ({said}). Close what uses it, delete .venv, run the same command again."
        )


def install(environment: Environment, requirements: str) -> None:
    """Install with pip, and make sure that bytecode is there: without it every later start takes twice as long."""
    python = str(environment.python)
    if not has_pip(environment):
        logged([python, "-I", "-m", "ensurepip", "--default-pip"], environment)
    pip = [python, "-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--compile"]
    # Python 3.10.0 brings a pip that cannot install `-e .`; any newer pip finds nothing to do here.
    for wanted in (["pip>=22"], ["-r", requirements]):
        code, log = logged([*pip, *wanted], environment)
        if code != 0:
            whole = environment.prefix / f"{PROMPT}-pip.log"
            whole.write_text(log, encoding="utf-8")
            raise Problem(f"{why_pip_failed(log)} Then run the same command again. What pip said: {whole}")
    library = environment.prefix / ("Lib" if WINDOWS else "lib")
    logged([python, "-I", "-m", "compileall", "-qq", "-j", "0", str(library)], environment)


def has_pip(environment: Environment) -> bool:
    return logged([str(environment.python), "-I", "-m", "pip", "--version"], environment)[0] == 0


def why_pip_failed(log: str) -> str:
    """What to do, from what pip printed; the end of that only where it is the best there is to say."""
    if re.search(r"No space left|Errno 28|not enough space", log):
        return "The disk is full. Free 1 GB."
    if re.search(r"connection broken|NewConnection|Timeout|ProxyError|SSLError|NameResolution|Network is unreach", log):
        return "The package index could not be reached. Check the network (behind a proxy, set HTTPS_PROXY)."
    if re.search(r"Permission denied|Access is denied|WinError (5|32)\b", log):
        return "A file of the environment could not be written. Close the programs that use it."
    return f"{tail(log)}\n\npip could not install the packages. Follow the advice in its lines above."


def refuse_read_only_folder() -> None:
    try:
        with tempfile.TemporaryFile(dir=ROOT):
            return
    except OSError as error:
        reason = f"{ROOT} cannot be written ({error.strerror})."
    raise Problem(f"{reason} Copy the project to a folder of your own and start it there.")


def logged(command: list[str], environment: Environment) -> tuple[int, str]:
    """The exit code and everything printed. On a terminal one line shows what pip is doing now."""
    lines = []
    try:
        process = subprocess.Popen(
            command, cwd=ROOT, env=variables_for(environment, os.environ), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        )  # fmt: skip
    except OSError as error:
        return 127, str(error)
    with process:
        for line in process.stdout or []:
            lines.append(line.rstrip())
            if sys.stderr.isatty() and line.startswith(("Collecting", "Downloading", "Installing")):
                print(f"\r\033[K  {line.strip()[:70]}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return process.returncode, "\n".join(lines)


def tail(log: str, lines: int = 12) -> str:
    return "\n".join(log.splitlines()[-lines:])


def runs_as_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def say(text: str) -> None:
    """Print to the error stream: the grader's answers have the output stream for themselves."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
