"""From observations to sentences: what happened, and one thing to do next. Subject first, no blame, no jargon untaught."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from grader.model import Died, Json, Missing, Observation, Raised, Saw, Step, Tampered, TimedOut, Unwritten, Verdict
from grader.parts import written
from grader.referee.zygote import Ended


def verdict_of(observation: Observation, *, importing: bool = False) -> Verdict:
    """The verdict that an observation alone decides; a `Saw` is judged by its finding, not here."""
    match observation:
        case Saw():
            return Verdict.PASSED
        case Unwritten():
            return Verdict.NOT_STARTED
        case Raised(type="MemoryError"):
            return Verdict.BROKEN
        case Raised():
            return Verdict.BROKEN if importing else Verdict.NEEDS_WORK
    return Verdict.BROKEN


def reason_for(observation: Observation, *, importing: bool = False) -> str:
    """One sentence: what came instead of an answer. Empty for a `Saw`."""
    doing = "while the module was imported" if importing else "while the step was tried"
    match observation:
        case Raised(type="MemoryError"):
            return f"More memory than the 512 MB a check may use was asked for {doing}."
        case Raised(type="TooLarge", message=message):
            return message
        case Raised(type=kind, message=message):
            return f"{kind} was raised {doing}: {message or '(no message)'}"
        case Missing(name=name, file=file, near=near):
            return f"`{file}` has no name `{name}`." + (f" It has `{near[0]}`." if near else "")
        case TimedOut(seconds=seconds):
            return f"No answer came within {seconds:g} seconds {doing}; the process was ended."
        case Died(how=how):
            return f"The process ended {how} {doing}."
        case Tampered(what=what):
            return f"The check was answered by something other than the step's functions: {what}."
    return ""


def next_for(observation: Observation, step: Step, file: str, *, importing: bool = False) -> str:
    """One action, for a step without a diagnosis."""
    names = quoted(written(step)) or "the step"
    match observation:
        case Raised(type="NameError", message=message) if line := _import_of(message):
            return f"Import it at the top of `{file}`: `{line}`."
        case Raised(frames=frames) if frames:
            return f"Look at {frames[-1].partition(':')[0]}, line {_line_of(frames[-1])}."
        case Raised() if importing:
            return f"Run `import` on `{file}` in a fresh notebook cell and read the last line of the error."
        case Missing(name=name, near=near):
            return f"Rename `{near[0]}` to `{name}`." if near else f"Define `{name}` in `{file}`."
        case TimedOut() if importing:
            outside = "a loop, an `input()`, a graph that runs"
            return f"Look in `{file}` for code that stands outside of functions and runs at import: {outside}."
        case TimedOut():
            return f"Look for a loop in {names} that never ends."
        case Died():
            return f"Take the call that ends the process out of `{file}`."
        case Tampered():
            return "Take out of the module whatever reads or writes the grader's own descriptors."
    return f'Compare the two lines above, change {names}, save, and check again. Need more? hint("{step.id}")'


def told_of_gap(gap: Unwritten, step: Step, file: str, missing: Sequence[str], begun: bool) -> tuple[str, str]:
    """Reason and action for a step of which something is not written yet: `missing`, where that is known."""
    schema, _, key = gap.name.partition(".")
    if gap.near:
        return f"`{schema}` has no key `{key}`. It has `{gap.near[0]}`.", f"Rename `{gap.near[0]}` to `{key}`."
    whole = quoted(missing) or (quoted(written(step)) if gap.name == step.id or not gap.name else f"`{gap.name}`")
    reason = "Nothing is written here yet."
    if begun:
        reason = f"The step is begun; {whole} {'is' if len(missing) < 2 else 'are'} not written yet."
    return reason, f"Open `labs/{file}`, write {whole}, and save."


def how_it_died(ended: Ended) -> str:
    """`Ended` in words that follow "the process ended"."""
    if ended.alive:
        return "its line to the grader"
    if ended.code < 0:
        try:
            name = signal.Signals(-ended.code).name
        except ValueError:
            name = "unknown"
        return f"by signal {-ended.code} ({name})"
    return f"by itself with exit code {ended.code}"


def remark_on_print(count: int, when: str) -> str:
    return f"The module printed {count:,} bytes {when}. That costs nothing here, but it slows every import down."


def counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def quoted(things: Sequence[str]) -> str:
    """`` `build` ``; `` `InputState`, `OutputState` and `build` ``."""
    each = [f"`{thing}`" for thing in things]
    return " and ".join(filter(None, [", ".join(each[:-1]), *each[-1:]]))


def named(items: Sequence[str]) -> str:
    """`"pine", "moss", "fern"`, at most six, and how many more."""
    shown = ", ".join(f'"{item}"' for item in items[:6])
    return shown + (f" and {len(items) - 6} more" if len(items) > 6 else "")


def words(text: str) -> Json:
    """A finding's side that is said in words: a report shows it without quotes, and compares no letters with it."""
    return {"$type": "words", "text": text}


_HOMES = {
    "operator": ("add",),
    "typing": ("Annotated", "Any", "Literal", "Optional", "TypedDict"),
    "itertools": ("pairwise",),
    "hashlib": ("sha256",),
    "collections.abc": ("Callable", "Mapping", "MutableMapping", "Sequence"),
    "langgraph.graph": ("END", "START", "StateGraph"),
    "langgraph.types": ("Command", "interrupt"),
    "langgraph.checkpoint.memory": ("InMemorySaver",),
}
"""Modules, and the names that learners take from them."""


def _import_of(message: str) -> str:
    """The import that a NameError is about; empty where no import would give the name."""
    name = message.partition("'")[2].partition("'")[0]
    if name in ("operator", "hashlib", "itertools", "functools", "typing"):
        return f"import {name}"
    return next((f"from {home} import {name}" for home, held in _HOMES.items() if name in held), "")


def _line_of(frame: str) -> str:
    return frame.split(":", 2)[1].split(" ")[0]
