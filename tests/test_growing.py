"""A module that grows step by step, as the notebook asks for it: each step passes when it is written, not at the end."""

from __future__ import annotations

import pytest

from grader import catalog
from grader.model import Step
from grader.referee.players import Players
from grader.referee.source import Source
from tests import roads
from tests.conftest import ROOT

KEYS = (
    ("agstate.append", "trace: Annotated[list, add]"),
    ("agstate.dedupe", "sources: Annotated[list, merge_sources]"),
    ("agstate.maximum", "best_score: Annotated[float | None, keep_max]"),
    ("agstate.window", "notes: Annotated[list, keep_recent]"),
    ("agstate.budget", "used_calls: Annotated[int, add]"),
)
LAB = catalog.lab_of("agstate")


def growing(keys: list[str]) -> Source:
    state = "class State(TypedDict, total=False):\n" + "".join(f"    {key}\n" for key in keys)
    text = roads.spliced((ROOT / "solutions" / LAB.file).read_text(encoding="utf-8"), state)
    return Source(LAB.file, {LAB.file: text.encode()}, "growing")


@pytest.mark.parametrize("done", range(1, 6))
def test_the_steps_of_the_keys_that_are_written_pass_and_the_others_say_which_key_is_left(
    done: int, players: Players
) -> None:
    source = growing([key for _, key in KEYS[:done]])
    steps = [LAB.step(name) for name, _ in KEYS]
    for seed in ("1", "2", "3"):
        results = roads.checked(LAB, steps, source, players, seed)
        # The reducers of these steps are written: their steps are begun. The budget has none.
        left = {"agstate.budget": "not started"}
        expected = ["passed"] * done + [left.get(step.id, "needs work") for step in steps[done:]]
        assert [str(result.verdict) for result in results] == expected
        for result, (_, key) in list(zip(results, KEYS, strict=True))[done:]:
            assert f"write `State.{key.partition(':')[0]}`, and save" in result.next


def told(text: str, step: str, players: Players) -> tuple[str, str, str]:
    (result,) = roads.checked(LAB, [LAB.step(step)], Source(LAB.file, {LAB.file: text.encode()}, "x"), players)
    return str(result.verdict), result.reason, result.next


SOLUTION = (ROOT / "solutions" / LAB.file).read_text(encoding="utf-8")
STARTER = (ROOT / "labs" / LAB.file).read_text(encoding="utf-8")


def test_a_step_of_which_one_thing_is_missing_is_begun_and_says_which(players: Players) -> None:
    stub = 'def build(nodes, checkpointer=None):\n    raise NotImplementedError("agstate.schemas")\n'
    verdict, reason, following = told(roads.spliced(SOLUTION, stub), "agstate.schemas", players)
    assert (verdict, reason) == ("needs work", "The step is begun; `build` is not written yet.")
    assert following == "Open `labs/agstate/state.py`, write `build`, and save."


def test_a_step_that_nobody_began_names_all_that_is_to_be_written(players: Players) -> None:
    verdict, _, following = told(STARTER, "agstate.window", players)
    assert verdict == "not started"
    assert "write `keep_recent` and `State.notes`, and save" in following


def test_a_reducer_that_is_wrong_is_told_before_a_key_that_is_missing(players: Players) -> None:
    wrong = STARTER.replace('raise NotImplementedError("agstate.dedupe")', "return (old or []) + (new or [])")
    verdict, reason, following = told(wrong, "agstate.dedupe", players)
    assert (verdict, reason) == ("needs work", "")
    assert following == "Append an item only where it is not there yet."


def test_a_mistyped_key_is_told_with_the_name_that_was_meant(players: Players) -> None:
    mistyped = SOLUTION.replace("    notes: Annotated", "    note: Annotated")
    told_so = ("needs work", "`State` has no key `notes`. It has `note`.", "Rename `note` to `notes`.")
    assert told(mistyped, "agstate.window", players) == told_so


def test_what_is_given_is_not_named_as_something_to_change(players: Players) -> None:
    odd = roads.spliced(SOLUTION, "def keep_recent(old, new):\n    return ['odd']\n")
    _, _, following = told(odd, "agstate.window", players)
    assert "change `keep_recent` and `State.notes`," in following


@pytest.mark.parametrize(
    ("step", "key", "code"),
    [
        ("agstate.append", 'trace: Annotated[list, add, "the log"]', "AGS-NOT-LAST"),
        ("agstate.append", "trace: list", "AGS-OVERWRITE"),
        ("agstate.maximum", "best_score: Annotated[float, keep_max]", "AGS-ZERO-START"),
    ],
)
def test_a_wrong_key_alone_gets_its_own_belief(step: str, key: str, code: str, players: Players) -> None:
    (result,) = roads.checked(LAB, [LAB.step(step)], growing([key]), players)
    assert result.diagnosis is not None and result.diagnosis.code == code


@pytest.mark.parametrize(
    "change",
    [
        "def keep_max(old, new):\n    return min(old or 0, new or 0)\n",
        "def keep_max(old, new):\n    return 1.5\n",
        "def keep_max(old, new):\n    return [new]\n",
    ],
)
def test_an_unknown_wrong_answer_is_the_learners_and_no_fault_of_ours(change: str, players: Players) -> None:
    text = roads.spliced((ROOT / "solutions" / LAB.file).read_text(encoding="utf-8"), change)
    (result,) = roads.checked(
        LAB, [LAB.step("agstate.maximum")], Source(LAB.file, {LAB.file: text.encode()}, "x"), players
    )
    assert str(result.verdict) == "needs work"


# ---------------------------------------------------------------- lab 2: function by function

APPROVALS = catalog.lab_of("aghitl")


@pytest.mark.parametrize("step", APPROVALS.steps, ids=lambda step: step.id)
def test_a_step_of_lab_2_passes_without_the_functions_of_later_steps(step: Step, players: Players) -> None:
    solution = (ROOT / "solutions" / APPROVALS.file).read_text(encoding="utf-8")
    place = APPROVALS.steps.index(step)
    written = {name for earlier in APPROVALS.steps[: place + 1] for name in earlier.names}
    later = {name for each in APPROVALS.steps for name in each.names} - written
    if "approval_record" in later:  # The solution's nodes write the record, which is asked for in step 11 only.
        later.remove("approval_record")
    stubs = "".join(f"def {name}(*given):\n    raise NotImplementedError\n\n\n" for name in sorted(later))
    text = roads.spliced(solution, stubs) if later else solution
    (result,) = roads.checked(
        APPROVALS, [step], Source(APPROVALS.file, {APPROVALS.file: text.encode()}, "growing"), players
    )
    assert (result.verdict, result.counterexample) == ("passed", None)
