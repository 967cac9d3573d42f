"""What course systems hand over, unpacked and as the one zip they give: who handed in what, and what was left out."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from grader import catalog
from grader.cohort import places
from grader.cohort.grade import Submission, read
from grader.cohort.intake import take_in
from grader.cohort.run import NOTE, Outcome, grade_folder
from grader.replay import replay
from tests.test_journal import SOLUTION, WRONG

LABS = [catalog.lab_of("agstate"), catalog.lab_of("aghitl")]
STATE, APPROVE = "agstate/state.py", "aghitl/approve.py"
Names = Mapping[str, str | bytes]


def folder(root: Path, names: Names) -> Path:
    for name, content in names.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def packed(names: Names) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in names.items():
            archive.writestr(name, content)
    return held.getvalue()


def big_zip(root: Path, names: Names) -> Path:
    root.with_suffix(".zip").write_bytes(packed(names))
    return root.with_suffix(".zip")


def wrapped(root: Path, names: Names) -> Path:
    return big_zip(root, {f"submissions/{name}": content for name, content in names.items()} | {"__MACOSX/._a": "x"})


AS_GIVEN = pytest.mark.parametrize("given", [folder, big_zip, wrapped])
Given = Callable[[Path, Names], Path]


def taken(path: Path) -> tuple[dict[str, Submission], list[str]]:
    intake = take_in(path, LABS)
    return {entry.name: read(entry, LABS) for entry in intake.entries}, list(intake.notes)


def modules(submission: Submission) -> dict[str, str]:
    """Every file that would be sent to a player, by the name it is sent under."""
    assert submission.fault == ""
    return {name: text.decode() for source in submission.sources.values() for name, text in source.files.items()}


def remarks(submission: Submission) -> list[str]:
    return [*submission.left_out, *(line for source in submission.sources.values() for line in source.remarks)]


# ---------------------------------------------------------------- the systems


@AS_GIVEN
def test_canvas_flat_files_of_one_learner_are_one_submission(given: Given, tmp_path: Path) -> None:
    found, told = taken(
        given(
            tmp_path / "canvas",
            {
                "learnerone_12345_67890_state.py": "one",
                "learnerone_12345_67891_approve.py": "two",
                "learnerone_12345_67892_helper.py": "three",
                "learnertwo_LATE_222_67893_state-1.py": "again",
                "learnerthree_333_67894_agstate.zip": packed({"agstate/state.py": "in a zip"}),
                "learnerfour_444_67895_essay.pdf": "%PDF",
                "read me first.txt": "",
            },
        )
    )
    assert {name: modules(each) for name, each in found.items()} == {
        "learnerone_12345": {STATE: "one", APPROVE: "two", "agstate/helper.py": "three", "aghitl/helper.py": "three"},
        "learnertwo_222": {STATE: "again"},
        "learnerthree_333": {STATE: "in a zip"},
        "learnerfour_444": {},
    }
    assert [line for each in found.values() for line in remarks(each)] == []
    assert told == [
        "Read as a Canvas download: 4 learners.",
        "Handed in late, as Canvas says: learnertwo_222.",
        "Neither Python nor zip, so left out: learnerfour_444_67895_essay.pdf.",
        "Not named as in a Canvas download, so left out: read me first.txt.",
    ]


@AS_GIVEN
def test_canvas_the_newest_upload_of_a_name_counts(given: Given, tmp_path: Path) -> None:
    names = {
        f"learnerone_1_{number}_state{again}.py": str(number) for number, again in ((9, ""), (10, "-1"), (11, "-2"))
    }
    found, told = taken(given(tmp_path / "canvas", names))
    assert modules(found["learnerone_1"]) == {STATE: "11"}
    assert sorted(told[1:]) == [
        "learnerone_1_10_state-1.py was left out: learnerone_1_11_state-2.py was uploaded later.",
        "learnerone_1_9_state.py was left out: learnerone_1_11_state-2.py was uploaded later.",
    ]


@AS_GIVEN
def test_moodle_keeps_the_name_and_the_number_of_the_participant(given: Given, tmp_path: Path) -> None:
    found, told = taken(
        given(
            tmp_path / "moodle",
            {
                "Learner One_123456_assignsubmission_file/state.py": "one",
                "Learner One_123456_assignsubmission_file/approve.py": "two",
                "Learner One_123456_assignsubmission_onlinetext/onlinetext.html": "<p>",
                "김 민서_77_assignsubmission_file_/work.zip": packed({"agstate/state.py": "zipped"}),
                "Participant_88_assignsubmission_file/agstate/state.py": "deep",
                "Learner_Four_99_assignsubmission_file_state.py": "flat",
            },
        )
    )
    assert {name: modules(each) for name, each in found.items()} == {
        "Learner One_123456": {STATE: "one", APPROVE: "two"},
        "김 민서_77": {STATE: "zipped"},
        "Participant_88": {STATE: "deep"},
        "Learner_Four_99": {STATE: "flat"},
    }
    assert [line for each in found.values() for line in remarks(each)] == []
    assert told == ["Read as a Moodle download: 4 learners."]


PEOPLE = """---
submission_456:
  :submitters:
  - :name: "Learner: One"
    :sid: '00123'
    :email: one@example.org
  :created_at: 2026-01-01 10:00:00.000000000 Z
  :score: 1.0
  :results: !ruby/object:Anything
    :name: not a person
submission_457:
  :submitters:
  - :name: Learner Two
    :sid:
    :email: two@example.org
  - :name: Learner Three
    :sid:
  :status: processed
"""


@AS_GIVEN
def test_gradescope_names_come_from_its_list_of_people(given: Given, tmp_path: Path) -> None:
    found, told = taken(
        given(
            tmp_path / "scope",
            {
                "assignment_123_export/submission_metadata.yml": PEOPLE,
                "assignment_123_export/submission_456/state.py": "one",
                "assignment_123_export/submission_457/deep/agstate/state.py": "two",
                "assignment_123_export/submission_458/state.py": "nobody's",
            },
        )
    )
    assert {name: modules(each) for name, each in found.items()} == {
        "Learner_ One_00123": {STATE: "one"},
        "Learner Two & Learner Three_457": {STATE: "two"},
        "submission_458": {STATE: "nobody's"},
    }
    assert told == [
        "Read as a Gradescope export: 3 learners.",
        "submission_metadata.yml names nobody for submission_458.",
    ]


@AS_GIVEN
@pytest.mark.parametrize("above", ["course/submitted/", "submitted/"])
def test_nbgrader_learners_are_the_folders_of_submitted(above: str, given: Given, tmp_path: Path) -> None:
    found, told = taken(
        given(
            tmp_path / "nb",
            {
                f"{above}learner-01/week 1/state.py": "one",
                f"{above}learner-01/week 1/timestamp.txt": "2026-01-01",
                f"{above}learner-02/week 1/state.py": "two",
                f"{above}learner-02/week 2/approve.py": "three",
            },
        )
    )
    assert {name: modules(each) for name, each in found.items()} == {
        "learner-01": {STATE: "one"},
        "learner-02": {STATE: "two", APPROVE: "three"},
    }
    assert remarks(found["learner-01"]) == []
    assert told == ["Read as nbgrader's folder of submissions: 2 learners."]


@AS_GIVEN
def test_github_classroom_learners_are_what_follows_the_assignment(given: Given, tmp_path: Path) -> None:
    names = {
        f"lab-one-{user}/{file}": user
        for user in ("ab", "a-c", "abd")
        for file in (".git/HEAD", "labs/agstate/state.py")
    }
    found, told = taken(given(tmp_path / "clones", names))
    assert {name: modules(each) for name, each in found.items()} == {
        user: {STATE: user} for user in ("ab", "a-c", "abd")
    }
    assert told == ["Read as GitHub Classroom's clones of 'lab-one': 3 learners."]


def test_a_classroom_folder_names_the_assignment_also_for_one_learner(tmp_path: Path) -> None:
    found, _ = taken(folder(tmp_path / "lab-submissions", {"lab-x-y/.git/HEAD": "", "lab-x-y/agstate/state.py": "one"}))
    assert list(found) == ["x-y"]


def test_learners_whose_names_begin_alike_are_no_clones(tmp_path: Path) -> None:
    found, told = taken(folder(tmp_path / "in", {f"learner-0{number}/agstate/state.py": "x" for number in (1, 2)}))
    assert (list(found), told) == (["learner-01", "learner-02"], [])


# ---------------------------------------------------------------- plain zips


@pytest.mark.parametrize("wrapper", ["", "week 1/"])
def test_a_zip_of_folders_or_zips_holds_many(wrapper: str, tmp_path: Path) -> None:
    names: dict[str, str | bytes] = {f"{wrapper}learner-{number}/agstate/state.py": str(number) for number in (1, 2)}
    names[f"{wrapper}learner-3.zip"] = packed({"agstate/state.py": "3"})
    found, _ = taken(big_zip(tmp_path / "all", names))
    assert {name: modules(each) for name, each in found.items()} == {
        f"learner-{number}": {STATE: str(number)} for number in (1, 2, 3)
    }


@pytest.mark.parametrize(
    "names",
    [(STATE, APPROVE), ("x/AgState/State.py", "x/aghitl/approve.py"), ("labs/agstate/state.py",), ("a/b/state.py",)],
)
def test_a_zip_with_both_labs_is_one_learners(names: Sequence[str], tmp_path: Path) -> None:
    found, told = taken(big_zip(tmp_path / "mine", {name: "x" for name in names}))
    assert list(found) == ["mine"]
    assert len(modules(found["mine"])) == len(names)
    assert told == ["mine.zip is taken as one learner's submission."]


# ---------------------------------------------------------------- caps


def test_a_bomb_within_a_zip_is_refused_in_one_line_and_its_neighbour_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "LARGEST_ZIP", 1_000_000)
    names = {
        "learnerone_1_1_a.zip": packed({"agstate/state.py": b"#" * 200_000_000}),
        "learnertwo_2_2_b.zip": packed({"x.bin": bytes(range(256)) * 40_000}) + b"\0" * 1_000_000,
        "learnerthree_3_3_c.zip": packed({"agstate/state.py": "fine"}),
        "learnerfour_4_4_d.zip": "no zip",
        "learnerfive_5_5_e.zip": packed({"inner.zip": packed({"agstate/state.py": "too deep"})}),
    }
    found, _ = taken(big_zip(tmp_path / "canvas", names))
    one, two, three, four, five = (
        found[f"learner{name}"] for name in ("one_1", "two_2", "three_3", "four_4", "five_5")
    )
    assert one.missing["agstate"].endswith("`agstate/state.py` was not read: it is larger than 1,000,000 bytes.")
    assert two.unreadable == (
        "the zip file cannot be opened (it is larger than 1,000,000 bytes): `learnertwo_2_2_b.zip`"
    )
    assert modules(three) == {STATE: "fine"}
    assert four.unreadable.startswith("the zip file cannot be opened (File is not a zip file)")
    assert five.missing["agstate"].endswith("there is no Python file in it.")


def test_many_zips_and_twice_the_same_name_are_told(tmp_path: Path) -> None:
    names = {f"learner/{number}.zip": packed({"agstate/state.py": str(number)}) for number in range(7)}
    found, _ = taken(folder(tmp_path / "in", names))
    assert modules(found["learner"]) == {STATE: "0"}
    told = found["learner"].left_out
    assert [line for line in told if "more than 5 zip files" in line] == [
        f"`{number}.zip` was left out: there are more than 5 zip files." for number in (5, 6)
    ]
    assert told.count("`agstate/state.py` is there more than once: the first was taken.") == 4


def test_a_large_zip_on_disk_is_read_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "LARGEST_ZIP", 1000)
    names = {"agstate/state.py": b"x = 1", "venv.bin": bytes(range(256)) * 4000}
    found, _ = taken(folder(tmp_path / "in", {"learner-1.zip": packed(names)}))
    assert modules(found["learner-1"]) == {STATE: "x = 1"}


# ---------------------------------------------------------------- from the zip to the reports


def test_a_canvas_zip_is_graded_kept_and_replayed_as_it_is(tmp_path: Path) -> None:
    names = {"learnerone_1_11_hello.py": SOLUTION, "learnertwo_2_12_hello-1.py": WRONG}
    given, out = big_zip(tmp_path / "submissions", names), tmp_path / "out"
    labs = [catalog.lab_of("agstart")]
    told: list[str] = []
    for _ in range(2):
        outcome = grade_folder(given, out, labs, "s", 1, told.append, lambda done, total: None, lowest=0)
        assert outcome == Outcome(2, 1, 0)
    assert told[-1].startswith("2 unchanged since the last run, kept")
    places_of = json.loads((out / NOTE).read_text(encoding="utf-8"))["submissions"]
    assert places_of["learnertwo_2"] == ["learnertwo_2_12_hello-1.py"]
    (step,) = [step.id for step in labs[0].steps]
    again = replay(out / "learnertwo_2", step)
    assert again.same and "NEEDS WORK" in again.text
