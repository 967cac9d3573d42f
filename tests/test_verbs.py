"""The learner's verbs: what they say, what they remember, and that they answer where others would raise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import grader
from grader import catalog
from grader.model import Prediction, Verdict
from grader.notebook import checking, files, helping, predicting, session, standing
from grader.notebook.shown import Checked, Told

HALF = """from typing import TypedDict
class State(TypedDict, total=False):
    trace: list
"""


def write(course: Path, text: str) -> None:
    (course / "labs" / "agstate" / "state.py").write_text(text, encoding="utf-8")


def solved(course: Path) -> str:
    return (course / "solutions" / "agstate" / "state.py").read_text(encoding="utf-8")


def check(name: str, **more: str) -> Checked:
    answer = checking.check(name, **more)
    assert isinstance(answer, Checked), answer
    return answer


# ---------------------------------------------------------------- check


def test_a_check_tells_verdict_evidence_belief_and_how_to_repeat_it(course: Path) -> None:
    write(course, HALF)
    told = repr(check("agstate.append", seed="48213")).splitlines()
    assert told[0] == "agstate.append · NEEDS WORK · keeps every node's write"
    labels = [line.split()[0] for line in told if not line.startswith(" ")]
    assert labels[1:] == ["file", "tried", "where", "expected", "got", "likely", "next", "replay"]
    assert told[1].startswith("file     labs/agstate/state.py, saved ")
    assert "[AGS-OVERWRITE]" in "".join(told)
    assert 'check("agstate.append", seed="48213")' in told[-1]


def test_the_same_seed_gives_the_same_report_and_another_seed_another_input(course: Path) -> None:
    write(course, HALF)
    one, again, other = (check("agstate.append", seed=seed).report.results[0] for seed in ("5", "5", "6"))
    assert one == again
    assert one.counterexample != other.counterexample


def test_a_check_sees_the_saved_file_and_not_what_was_imported_before(course: Path) -> None:
    write(course, HALF)
    assert not check("agstate.append").passed
    write(course, solved(course))
    assert check("agstate.append").passed


def test_the_seed_that_failed_is_tried_first_until_it_passes(course: Path) -> None:
    write(course, HALF)
    failing = check("agstate.append").report.results[0].seed
    assert check("agstate.append").report.results[0].seed == failing
    write(course, solved(course))
    passed = check("agstate.append").report.results[0]
    assert (passed.verdict, passed.seed == failing) == (Verdict.PASSED, False)


def test_a_whole_lab_keeps_the_seed_of_each_failing_step(course: Path) -> None:
    write(course, HALF)
    failing = check("agstate.append").report.results[0].seed
    seeds = {result.step: result.seed for result in check("agstate").report.results}
    assert seeds["agstate.append"] == failing
    assert len(seeds) == 10


@pytest.mark.parametrize("name", ["agstate.apend", "agstat", "append", "", "agstate.", "agstate.append.more"])
def test_a_name_that_is_none_is_answered_with_near_ones(course: Path, name: str) -> None:
    answer = checking.check(name)
    assert isinstance(answer, Told)
    assert repr(answer).startswith(f"There is no step or lab {name!r}.")
    assert "agst" in repr(answer).partition(". ")[2]


def test_a_missing_file_is_told_with_the_way_to_get_it_back(course: Path) -> None:
    (course / "labs" / "agstate" / "state.py").unlink()
    told = repr(checking.check("agstate.append"))
    assert told.startswith("There is no file `labs/agstate/state.py`.")
    assert 'reset("agstate")' in told


def test_a_file_that_does_not_import_is_broken_with_its_line(course: Path) -> None:
    write(course, "x = 1\ndef :\n")
    (result,) = check("agstate.append").report.results
    assert result.verdict is Verdict.BROKEN
    assert "SyntaxError" in result.reason
    assert "line 2" in result.next


def test_a_fault_of_ours_is_told_and_not_raised(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "new_seed", lambda: 1 / 0)
    told = repr(checking.check("agstate.append"))
    assert told.startswith("grader fault: check failed, and it is not your doing.")
    assert "ZeroDivisionError" in told


def test_a_system_without_fork_is_told_what_to_do(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session.players().close()
    monkeypatch.delattr("os.fork")
    assert "inside WSL" in repr(checking.check("agstate.append"))


def test_a_report_has_a_plain_and_an_html_form(course: Path) -> None:
    write(course, HALF)
    shown = check("agstate.append", seed="1")._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert "<script" not in shown["text/html"] and "<style" not in shown["text/html"] and "<h" not in shown["text/html"]
    assert "NEEDS WORK" in shown["text/html"]


# ---------------------------------------------------------------- hint and compare


def test_hints_go_up_one_rung_each_time_and_the_last_stays(course: Path) -> None:
    titles = [repr(helping.hint("agstate.append")).splitlines()[0] for _ in range(5)]
    assert [title.partition("hint ")[2][0] for title in titles] == ["1", "2", "3", "4", "4"]
    assert "This was the last rung already" in repr(helping.hint("agstate.append"))


def test_each_step_has_four_different_hints_and_peek_gives_the_last(course: Path) -> None:
    for lab in catalog.labs():
        for step in lab.steps:
            assert len({*step.hints}) == 4
            assert all(40 <= len(rung.split()) <= 170 for rung in step.hints), step.id
            assert "hint 4 of 4" in repr(helping.hint(step.id, peek=True))


def test_a_hint_for_a_whole_lab_asks_which_step(course: Path) -> None:
    assert "Name one of its steps: agstate.overwrite" in repr(helping.hint("agstate"))


def test_the_solution_opens_after_three_hints_or_a_pass_or_when_asked_twice(course: Path) -> None:
    assert "still closed" in repr(helping.compare("agstate.append"))
    assert "Annotated[list, add]" in repr(helping.compare("agstate.append", peek=True))
    for _ in range(3):
        helping.hint("agstate.append")
    assert "+    trace: Annotated[list, add]" in repr(helping.compare("agstate.append"))


def test_comparing_the_solution_with_itself_finds_nothing(course: Path) -> None:
    write(course, solved(course))
    assert check("agstate.append").passed
    assert "say the same" in repr(helping.compare("agstate.append"))


def test_a_file_with_a_syntax_error_is_compared_later(course: Path) -> None:
    write(course, "def :\n")
    assert "line 1" in repr(helping.compare("agstate.append", peek=True))


# ---------------------------------------------------------------- predict

QUESTIONS = [(lab, asked) for lab in catalog.labs() for asked in lab.predictions]


def test_an_open_question_is_shown_and_nothing_is_counted(course: Path) -> None:
    told = repr(predicting.predict("agstate.p1", ...))
    assert told.startswith("agstate.p1 · what do you think?")
    assert "Three nodes run one after the other" in told


def test_a_right_guess_is_right_whatever_its_spelling(course: Path) -> None:
    assert "right, so it is" in repr(predicting.predict("agstate.p1", ("Answer ",)))
    assert "right, so it is" in repr(predicting.predict("agstate.p2", " ERROR"))


@pytest.mark.parametrize("asked", [asked for _, asked in QUESTIONS], ids=lambda asked: asked.id)
def test_every_known_wrong_guess_is_wrong_on_this_version_and_told_by_its_name(asked: Prediction, course: Path) -> None:
    assert asked.beliefs
    seen: list[object] = []
    for belief in asked.beliefs:
        guess = belief.answer(asked.inputs)
        assert guess not in seen, "two beliefs give one answer, so they cannot be told apart"
        seen.append(guess)
        told = repr(predicting.predict(asked.id, guess))
        assert "the machine does something else" in told
        assert belief.name in " ".join(told.split())


def test_an_unknown_guess_gets_the_run(course: Path) -> None:
    told = repr(predicting.predict("agstate.p1", ["nobody"]))
    assert "gives ['answer']" in told


@pytest.mark.parametrize(
    ("name", "guess", "form"),
    [
        ("agstate.p1", "answer", 'Answer with a list, such as predict("agstate.p1", ["one", "two"]).'),
        ("agstate.p1", object(), "Answer with a list"),
        ("agstate.p7", "0", 'Answer with a number, such as predict("agstate.p7", 7).'),
        ("agstate.p7", True, "Answer with a number"),
        ("agstate.p2", ["error"], 'Answer with one word, such as predict("agstate.p2", "word").'),
        ("agstate.p14", {"history": "gone"}, 'a dict for "get_state", "history" and "saver"'),
        ("agstate.p15", {"answer": "nothing", "used_calls": "0"}, 'predict("agstate.p15", {"answer": "word", '),
    ],
)
def test_an_answer_in_another_form_is_no_wrong_belief(name: str, guess: object, form: str, course: Path) -> None:
    told = " ".join(repr(predicting.predict(name, guess)).split())
    assert told.startswith(f"{name} · not counted: the answer has another form")
    assert form in told
    assert "notice" not in told and not (course / ".lab").exists()


def test_a_question_that_is_none_is_answered_with_near_ones(course: Path) -> None:
    assert "Closest: agstate.p1" in repr(predicting.predict("agstate.p01", 3))


def test_the_notebooks_ask_every_question(course: Path) -> None:
    asked = "".join(file.read_text(encoding="utf-8") for file in (course / "labs").glob("*.ipynb"))
    for _, question in QUESTIONS:
        assert f'predict(\\"{question.id}\\"' in asked


# ---------------------------------------------------------------- fresh, reset, progress, doctor


def test_fresh_gives_what_is_saved_now(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(course, "WINDOW = 1\n")
    assert files.fresh("agstate.state").WINDOW == 1
    write(course, "WINDOW = 2\n")
    assert files.fresh("agstate.state").WINDOW == 2
    assert "labs/agstate/state.py, saved 0 s ago" in capsys.readouterr().out


def test_fresh_names_the_modules_when_there_is_no_such_one(course: Path) -> None:
    with pytest.raises(ModuleNotFoundError, match=r"Modules: agstart.hello, agstate.state"):
        files.fresh("agstate.stat")


def test_reset_keeps_what_was_there_and_gives_the_starter_back(course: Path) -> None:
    starter = (course / "labs" / "agstate" / "state.py").read_bytes()
    write(course, "mine = 1\n")
    told = repr(files.reset("agstate"))
    assert "labs/agstate/state.py" in told
    assert (course / "labs" / "agstate" / "state.py").read_bytes() == starter
    (kept,) = (course / ".lab" / "backups").rglob("state.py")
    assert kept.read_text(encoding="utf-8") == "mine = 1\n"
    assert kept.parent.relative_to(course).as_posix() in told


def test_two_resets_within_a_second_lose_nothing(course: Path) -> None:
    for text in ("first = 1\n", "second = 2\n"):
        write(course, text)
        files.reset("agstate")
    kept = {file.read_text(encoding="utf-8") for file in (course / ".lab" / "backups").rglob("state*.py")}
    assert kept == {"first = 1\n", "second = 2\n"}


def test_reset_of_a_missing_file_says_that_there_was_nothing_to_keep(course: Path) -> None:
    (course / "labs" / "agstate" / "state.py").unlink()
    assert "Nothing: no file stood there." in repr(files.reset("agstate"))


def test_reset_of_a_step_says_that_it_is_about_a_lab(course: Path) -> None:
    write(course, "mine = 1\n")
    assert 'not one step: reset("agstate")' in repr(files.reset("agstate.window"))
    assert (course / "labs" / "agstate" / "state.py").read_text(encoding="utf-8") == "mine = 1\n"


def test_reset_of_a_starter_does_nothing(course: Path) -> None:
    assert "nothing to put back" in repr(files.reset("agstate"))
    assert not (course / ".lab").exists()


def test_progress_knows_what_passed_and_what_changed_since(course: Path) -> None:
    write(course, solved(course))
    check("agstate.append")
    assert "agstate.append     ✓ passed" in repr(standing.progress("agstate"))
    assert 'check("agstate.overwrite")' in repr(standing.progress("agstate"))
    write(course, solved(course) + "\n# more\n")
    assert "~ changed since it passed" in repr(standing.progress("agstate"))
    assert repr(standing.progress("agstate")).startswith("1 of 10 steps passed")


def test_progress_remembers_what_passed_before_a_syntax_error(course: Path) -> None:
    write(course, solved(course))
    check("agstate.append")
    write(course, "def :\n")
    check("agstate.append")
    assert "! broken, passed before" in repr(standing.progress("agstate"))
    assert repr(standing.progress("agstate")).startswith("0 of 10 steps passed")


def test_progress_notes_that_cannot_be_read_are_set_aside_and_kept(course: Path) -> None:
    notes = course / ".lab" / "progress.json"
    notes.parent.mkdir()
    notes.write_text("{half", encoding="utf-8")
    assert check("agstart.hello").passed
    assert json.loads(notes.read_text(encoding="utf-8"))["steps"]["agstart.hello"]["verdict"] == "passed"
    assert notes.with_suffix(".unreadable.json").read_text(encoding="utf-8") == "{half"


def test_doctor_runs_a_check_that_passes(course: Path) -> None:
    told = repr(standing.doctor())
    assert told.startswith("All is well")
    assert "agstart.hello passed" in told


def test_doctor_says_so_when_its_check_does_not_pass(course: Path) -> None:
    (course / "labs" / "agstart" / "hello.py").write_text("raise RuntimeError('no')\n", encoding="utf-8")
    told = repr(standing.doctor())
    assert told.startswith("Something is not right")
    assert "RuntimeError" in told


def test_the_verbs_can_be_had_from_the_package_and_nothing_else() -> None:
    assert grader.check is checking.check
    with pytest.raises(AttributeError, match="no attribute 'chekc'"):
        _ = grader.chekc
    assert session.players() is session.players()
