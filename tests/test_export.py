"""What `grade` wrote, in the forms of course systems: every cell, and every sentence about who was left out."""

from __future__ import annotations

import base64
import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.__main__ import app
from grader.cohort.grade import Graded
from grader.cohort.result import result_of
from grader.cohort.run import NOTE
from grader.cohort.write import whole
from grader.model import (
    Diagnosis,
    Evidence,
    Finding,
    Isolation,
    Raised,
    Report,
    Saw,
    SourceNote,
    StepResult,
    Trial,
    Verdict,
)
from grader.render import junit, markdown
from grader.render.json_form import learner_json, reports_of

NASTY = "a|b `c` <script>@everyone</script> ``` \x00\x1b[31m"
BELIEF = Diagnosis("AGS-OVERWRITE", "The last write replaced the others", "Because.", "Add a reducer.")
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (55),Essay (56),Current Score,Lab Final Grade
    Points Possible,,,,,10,5,(read only),(read only)
"Lima, Kim",12345,sis-1,kim,S,,4,80,80
"Lima, Lou",12346,sis-2,lou@example.org,S,3,,80,80
Mo Lima,12347,sis-3,mo,S,7.5,,80,80
"=cmd|' /C calc'!A0",12348,sis-4,no,S,,-,80,80
Excused One,12349,sis-5,ex,S,EX,,80,80
"""
MOODLE = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (submission),\
Last modified (grade),Feedback comments
Participant 123,Kim Lima,kim@example.org,Submitted,,"50,00",Yes,-,-,
Participant 124,Lou Lima,lou@example.org,Submitted,9,"50,00",Yes,-,-,old words
Participant 125,@Mo,mo@example.org,Submitted,,"50,00",Yes,-,-,
"""


def report(learner: str, *verdicts: Verdict, lab: str = "agstate") -> Report:
    """A report with one step for each verdict; one that needs work has evidence that is full of markup."""
    results = []
    for number, verdict in enumerate(verdicts):
        result = StepResult(f"{lab}.s{number}", f"step {number} of {NASTY}", verdict, 1, "seed", tries=2)
        if verdict is Verdict.NEEDS_WORK:
            seen = Evidence(Trial("p", {"x": 1}, f"tried {NASTY}"), Saw({"y": NASTY}), Finding("y", "good", NASTY))
            result = StepResult(
                result.step, result.title, verdict, 1, "seed", 2, 1, seen, BELIEF, printed=NASTY, remarks=("r",)
            )
        if verdict is Verdict.BROKEN:
            seen = Evidence(Trial("p", {}, "tried"), Raised("ValueError", NASTY, ("state.py:3 in f",)))
            result = StepResult(result.step, result.title, verdict, 1, "seed", 2, 2, seen, reason=NASTY)
        results.append(result)
    return Report(
        lab, "a title", learner, "seed", Isolation(1, "Checked at level 1."), SourceNote("f.py", "00"), results
    )


GOOD, HALF = [Verdict.PASSED] * 4, [Verdict.PASSED, Verdict.NEEDS_WORK, Verdict.BROKEN, Verdict.PASSED]
NONE, FAULT = [Verdict.NOT_STARTED] * 4, [*[Verdict.PASSED] * 3, Verdict.GRADER_FAULT]


def graded(folder: Path, **verdicts: Sequence[Verdict]) -> Path:
    for learner, each in verdicts.items():
        folder.mkdir(exist_ok=True)
        (folder / learner).mkdir()
        for name, text in result_of(Graded(learner, [report(learner, *each)])).pages.items():
            whole(folder / learner / name, text)
    return folder


def export(*arguments: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["export", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def cells(file: Path, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(file.read_text(encoding="utf-8-sig"), newline=""), delimiter=delimiter))


# ---------------------------------------------------------------- the way back from JSON


@pytest.mark.parametrize("verdicts", [GOOD, HALF, NONE, FAULT])
def test_a_report_read_back_is_the_same_in_every_field(verdicts: list[Verdict]) -> None:
    told = json.loads(json.dumps(learner_json("one", [report("one", *verdicts), report("one", *HALF, lab="aghitl")])))
    assert json.loads(json.dumps(learner_json("one", reports_of(told)))) == told


# ---------------------------------------------------------------- Canvas


def canvas(tmp_path: Path, reports: Path, gradebook: str = CANVAS, *more: str) -> tuple[int, str, list[list[str]]]:
    given, out = tmp_path / "gradebook.csv", tmp_path / "filled.csv"
    given.write_text(gradebook, encoding="utf-8", newline="")
    code, _, told = export("canvas", reports, "--gradebook", given, "--out", out, *more)
    assert given.read_bytes() == gradebook.encode()
    return code, told, cells(out, ";" if ";" in gradebook else ",") if out.exists() else []


LAB_1 = ["--assignment", "Lab 1 (55)"]


def test_a_canvas_gradebook_gets_one_column_and_keeps_the_rest(tmp_path: Path) -> None:
    names = {"limakim_12345_67890_state": GOOD, "limalou_LATE_12346_67891_state": HALF, "no": NONE}
    code, told, rows = canvas(tmp_path, graded(tmp_path / "reports", **names), CANVAS, *LAB_1)
    before = list(csv.reader(io.StringIO(CANVAS)))
    assert code == 0, told
    assert [row[5] for row in rows] == ["Lab 1 (55)", "10", "10.00", "5.00", "", "0.00", "EX"]
    assert [row[1:5] + row[6:] for row in rows] == [row[1:5] + row[6:] for row in before]
    assert rows[5][0] == "'=cmd|' /C calc'!A0"
    assert "Points were scaled from 4 to the 10" in told


@pytest.mark.parametrize("learner", ["12346", "SIS-2", "lou@example.org", "Lou Lima", "lima, lou", "Lou  Lima (2)"])
def test_a_learner_is_found_by_number_login_or_name(learner: str, tmp_path: Path) -> None:
    _, told, rows = canvas(tmp_path, graded(tmp_path / "reports", **{learner: GOOD}), CANVAS, *LAB_1)
    assert [row[5] for row in rows[2:]] == ["", "10.00", "", "", "EX"], told


def test_nobody_without_a_finished_grading_gets_a_0(tmp_path: Path) -> None:
    reports = graded(tmp_path / "reports", kim=FAULT, lou=GOOD)
    (reports / "lou" / "report.json").write_text('{"schema": 1, "labs": [{}]', encoding="utf-8")
    (reports / NOTE).write_text('{"seed": "s", "submissions": {"kim": "k", "lou": "l", "mo": "m"}}', encoding="utf-8")
    code, told, rows = canvas(tmp_path, reports, CANVAS, *LAB_1)
    assert (code, [row[5] for row in rows[2:]]) == (0, ["", "", "", "", "EX"])
    for words in (
        "kim met a fault of the grader in agstate.s3: no mark is filled in.",
        "lou has a report that is of no use: it cannot be read",
        "mo was handed in, and its grading did not end: no mark is filled in.",
        "Mo Lima had 7.5 in the gradebook: the cell is empty now.",
        "Lima, Lou has a row and no report.",
        "Excused One is excused (EX): that was kept.",
    ):
        assert words in told


def test_whoever_fits_two_rows_or_shares_one_is_told_and_not_filled_in(tmp_path: Path) -> None:
    reports = graded(tmp_path / "reports", **{"twin": GOOD, "mo": GOOD, "12347": HALF, "stranger": GOOD})
    twice = CANVAS.replace("Lima, Kim", "Twin").replace("Lima, Lou", "Twin")
    _, told, rows = canvas(tmp_path, reports, twice, *LAB_1)
    assert [row[5] for row in rows[2:]] == ["", "", "", "", "EX"]
    assert "twin fits 2 rows of the sheet" in told
    assert "12347 and mo all fit the row of Mo Lima" in told
    assert "stranger has a report and no row in the sheet." in told


def test_a_semicolon_gradebook_with_a_mark_and_decimal_commas_stays_so(tmp_path: Path) -> None:
    gradebook = "\ufeffStudent;ID;Section;Lab (1)\r\nPoints Possible;;;7,50\r\nA B;1;S;\r\n"
    _, _, rows = canvas(tmp_path, graded(tmp_path / "reports", **{"A B": HALF}), gradebook)
    assert rows[2] == ["A B", "1", "S", "3,75"]
    assert (tmp_path / "filled.csv").read_bytes().startswith(b"\xef\xbb\xbfStudent;ID")


def test_a_title_without_a_number_that_is_not_there_is_added_and_told(tmp_path: Path) -> None:
    code, told, rows = canvas(tmp_path, graded(tmp_path / "reports", kim=HALF), CANVAS, "--assignment", "New")
    assert (code, [row[-1] for row in rows[:3]]) == (0, ["New", "4.00", "2.00"])
    assert "Canvas will create an assignment" in told


def test_last_and_first_name_in_two_columns_are_a_gradebook_too(tmp_path: Path) -> None:
    gradebook = "LastName,FirstName,ID,Section,Lab (1)\r\nLima,Kim,1,S,\r\n"
    _, _, rows = canvas(tmp_path, graded(tmp_path / "reports", **{"Kim Lima": HALF}), gradebook)
    assert rows[1] == ["Lima", "Kim", "1", "S", "2.00"]


@pytest.mark.parametrize(
    ("gradebook", "more", "words"),
    [
        (CANVAS, [], "Say which column with --assignment. Assignments in this gradebook: 'Lab 1 (55)', 'Essay (56)'."),
        (CANVAS, ["--assignment", "Lab 2 (99)"], "is not in this gradebook"),
        (CANVAS, ["--assignment", "My Current Score"], "Rename it"),
        (CANVAS, ["--assignment", "Lab Final Grade"], "Rename it"),
        (CANVAS, [*LAB_1, "--lab", "aghitl"], "Nobody was graded in 'aghitl'. The reports are about: agstate."),
        (CANVAS.replace("10,5", "(read only),5"), LAB_1, "Canvas protects the column"),
        (CANVAS.replace("Student", "Name"), LAB_1, "This is no Canvas gradebook"),
        (CANVAS.replace("Section", "Group"), LAB_1, "no column Section"),
        ("Student,ID,Section\r\n", LAB_1, "has no rows"),
        ('Student,ID,Section\r\n"a"b,1,2\r\n', LAB_1, "is no CSV"),
    ],
)
def test_a_gradebook_that_cannot_be_filled_in_ends_with_2_and_no_file(
    gradebook: str, more: list[str], words: str, tmp_path: Path
) -> None:
    code, told, rows = canvas(tmp_path, graded(tmp_path / "reports", kim=GOOD), gradebook, *more)
    assert (code, rows) == (2, [])
    assert words in told


def test_a_gradebook_in_another_encoding_is_told(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_bytes("Student,ID,Section,L (1)\r\nJosé,1,S,\r\n".encode("cp1252"))
    reports = graded(tmp_path / "reports", kim=GOOD)
    code, _, told = export("canvas", reports, "--gradebook", tmp_path / "g.csv", "--out", tmp_path / "o.csv")
    assert (code, "is not UTF-8" in told) == (2, True)


def test_what_is_read_is_never_written_over(tmp_path: Path) -> None:
    reports, given = graded(tmp_path / "reports", kim=GOOD), tmp_path / "gradebook.csv"
    given.write_text(CANVAS, encoding="utf-8")
    (tmp_path / "link.csv").hardlink_to(given)
    for out in (given, tmp_path / "reports" / ".." / "gradebook.csv", tmp_path / "link.csv"):
        code, _, told = export("canvas", reports, "--gradebook", given, "--out", out, *LAB_1)
        assert (code, "would overwrite" in told) == (2, True)
    one = reports / "kim" / "report.json"
    for command in ("results", "markdown", "classroom"):
        assert export(command, one, "--out", one)[0] == 2
    assert given.read_text(encoding="utf-8") == CANVAS
    assert json.loads(one.read_text(encoding="utf-8"))["learner"] == "kim"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["canvas", "nowhere", "--gradebook", "g.csv", "--out", "o.csv"], "There are no reports in 'nowhere'"),
        (["canvas", "reports", "--gradebook", "g.csv", "--out", "o.csv"], "g.csv cannot be read"),
        (["junit", "reports", "--out", "no/such/place.xml"], "cannot be written"),
        (["junit", "reports", "--out", "reports"], "is a folder"),
        (["results", "reports/nobody/report.json", "--out", "r.json"], "of no use: it is not there"),
        (["markdown", "other.json"], "it has schema 99"),
        (["gradescope", "--out", "a.zip", "--lab", "agstat"], "Closest: agstate"),
        (["github", "--course", "$(id)"], "is no OWNER/REPOSITORY"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    graded(tmp_path / "reports", kim=GOOD)
    Path("other.json").write_text('{"schema": 99, "labs": [1]}', encoding="utf-8")
    code, said, told = export(*arguments)
    assert (code, said, len(told.splitlines())) == (2, "", 1)
    assert words in told


# ---------------------------------------------------------------- Moodle


def moodle(tmp_path: Path, reports: Path, worksheet: str = MOODLE, *more: str) -> tuple[int, str, list[list[str]]]:
    given, out = tmp_path / "worksheet.csv", tmp_path / "filled.csv"
    given.write_text(worksheet, encoding="utf-8", newline="")
    code, _, told = export("moodle", reports, "--worksheet", given, "--out", out, *more)
    return code, told, cells(out) if out.exists() else []


MOODLE_NAMES = {"Kim Lima_123_assignsubmission_file": HALF, "lou@example.org": FAULT}


def test_a_moodle_worksheet_gets_grades_and_feedback_and_keeps_the_rest(tmp_path: Path) -> None:
    code, told, rows = moodle(tmp_path, graded(tmp_path / "reports", **MOODLE_NAMES))
    before = list(csv.reader(io.StringIO(MOODLE)))
    assert code == 0, told
    assert [row[4] for row in rows[1:]] == ["25,00", "", ""]
    assert rows[1][9].splitlines()[0] == "agstate: 2 of 4 steps passed: 1 needs work, 1 broken"
    assert len(rows[1][9].splitlines()) == 2 and "agstate.s1, needs work" in rows[1][9]
    assert [row[9] for row in rows[2:]] == ["old words", ""]
    assert [row[5:9] for row in rows] == [row[5:9] for row in before]
    assert rows[3][1] == "'@Mo"
    assert "lou@example.org met a fault of the grader in agstate.s3: no mark is filled in." in told
    assert "Participant 124 had 9 in the worksheet: the cell is empty now." in told
    assert "Participant 125 (@Mo) has a row and no report" in told


@pytest.mark.parametrize("hidden", [False, True], ids=["with names", "names hidden"])
def test_translated_headers_are_found_by_what_stands_below_them(hidden: bool, tmp_path: Path) -> None:
    words = "ID|Vollständiger Name|Mail|Stand|Bewertung|Bestwertung|Änderbar|Abgabe|Bewertet|Kommentar"
    (heads,) = csv.reader([words], delimiter="|")
    rows = [heads, *[row[:] for row in list(csv.reader(io.StringIO(MOODLE)))[1:]]]
    for row in rows[1:]:
        row[0] = row[0].replace("Participant ", "Teilnehmer/in")
    if hidden:
        rows = [row[:1] + row[3:] for row in rows]
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    names = {"Jemand_123_assignsubmission_file_": HALF}
    _, told, filled = moodle(tmp_path, graded(tmp_path / "reports", **names), text.getvalue())
    grade = rows[0].index("Bewertung")
    assert [row[grade] for row in filled[1:]] == ["25,00", "", ""], told
    assert filled[1][-1].startswith("agstate: 2 of 4")


def test_a_number_that_stands_behind_a_name_is_not_taken_for_the_maximum(tmp_path: Path) -> None:
    sheet = "ID,Name,Matrikel,Stand,Bewertung,Bestwertung,Frei,Abgabe,Bewertet,Worte\r\nT 1,A B,4711,x,,20,Ja,-,-,\r\n"
    _, told, rows = moodle(tmp_path, graded(tmp_path / "reports", **{"A B": HALF}), sheet)
    assert rows[1][:6] == ["T 1", "A B", "4711", "x", "10.00", "20"], told


def test_columns_can_be_named_where_they_are_not_found(tmp_path: Path) -> None:
    sheet = "Name,Nr,Wert,Top,Rest\r\nA,T 1,,10,10\r\nB,T 2,,20,10\r\n"
    reports = graded(tmp_path / "reports", **{"x_2_assignsubmission_file": HALF})
    code, told, rows = moodle(tmp_path, reports, sheet)
    assert (code, rows, "--identifier-column" in told) == (2, [], True)
    code, told, rows = moodle(tmp_path, reports, sheet, "--identifier-column", "nr", "--grade-column", "Wert")
    assert (code, "--grade-column" in told) == (2, True)
    same = sheet.replace("20,10", "10,10")
    code, _, rows = moodle(tmp_path, reports, same, "--identifier-column", "nr", "--grade-column", "Wert")
    assert (code, [row[2] for row in rows]) == (0, ["Wert", "", "5.00"])


def test_a_scale_instead_of_points_is_told(tmp_path: Path) -> None:
    sheet = MOODLE.replace('"50,00"', "Default competence scale")
    code, told, rows = moodle(tmp_path, graded(tmp_path / "reports", **MOODLE_NAMES), sheet)
    assert (code, rows, "is no number" in told) == (2, [], True)


# ---------------------------------------------------------------- JUnit, Markdown, results.json, GitHub Classroom


def test_junit_has_every_step_of_everybody_and_nothing_skipped(tmp_path: Path) -> None:
    reports = graded(tmp_path / "reports", good=GOOD, half=HALF, none=NONE, fault=FAULT)
    assert export("junit", reports, "--out", tmp_path / "out.xml")[0] == 0
    root = ET.parse(tmp_path / "out.xml").getroot()
    assert {key: root.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "16", "failures": "5", "errors": "2", "skipped": "0",
    }  # fmt: skip
    assert [len(suite.findall("testcase")) for suite in root] == [4, 4, 4, 4]
    assert [each.get("type") for each in root.iter("error")] == ["grader fault", "broken"]
    assert [each.get("type") for each in root.iter("failure")] == ["needs work", *["not started"] * 4]
    assert next(root.iter("failure")).get("message") == BELIEF.title


def test_junit_says_characters_that_xml_cannot_hold() -> None:
    text = junit.junit_xml([[report("one\x00", *HALF)]])
    assert ET.fromstring(text).find("testsuite").get("name") == "one\ufffd.agstate"  # type: ignore[union-attr]


def test_markdown_cannot_be_broken_out_of(tmp_path: Path) -> None:
    reports = graded(tmp_path / "reports", **{"@team [x](y)": HALF})
    code, said, _ = export("markdown", reports / "@team [x](y)")
    outside, inside = said.partition("<details>")[0], said.split("````text\n")[1].split("\n````")[0]
    assert code == 0
    assert "<script" not in outside and "@everyone" not in outside and "@team" not in outside
    assert all(line.count("|") - line.count("\\|") == 4 for line in outside.splitlines() if line.startswith("| "))
    assert "<script>@everyone</script> ```" in inside


def test_a_comment_stays_as_short_as_github_takes_it() -> None:
    text = markdown.report_markdown([report("one", *[Verdict.NEEDS_WORK] * 300)])
    assert len(text) < 65_536
    assert "more steps are in the report itself." in text


def test_results_json_has_a_visible_test_for_each_step(tmp_path: Path) -> None:
    reports = graded(tmp_path / "reports", half=HALF)
    assert export("results", reports / "half", "--out", tmp_path / "results.json")[0] == 0
    told = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert [(test["number"], test["status"], test["score"], test["max_score"]) for test in told["tests"]] == [
        ("1.1", "passed", 1, 1), ("1.2", "failed", 0, 1), ("1.3", "failed", 0, 1), ("1.4", "passed", 1, 1),
    ]  # fmt: skip
    assert {test["visibility"] for test in told["tests"]} | {told["visibility"]} == {"visible"}
    assert BELIEF.title in told["tests"][1]["output"]


def test_after_a_fault_of_ours_results_json_holds_no_score_at_all(tmp_path: Path) -> None:
    reports = graded(tmp_path / "reports", fault=FAULT)
    export("results", reports / "fault", "--out", tmp_path / "results.json")
    told = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert not [key for part in (told, *told["tests"]) for key in part if "score" in key]
    assert told["output"].startswith("The grader itself failed in agstate.s3. This is not your fault")


def test_the_result_for_github_classroom_adds_up_and_fits_into_a_variable(tmp_path: Path) -> None:
    reports = graded(tmp_path / "reports", half=HALF, many=[Verdict.NEEDS_WORK] * 60)
    _, said, _ = export("classroom", reports / "half")
    told = json.loads(base64.b64decode(said))
    assert (told["max_score"], sum(test["score"] for test in told["tests"]), told["status"]) == (4, 2, "fail")
    assert [test["status"] for test in told["tests"]] == ["pass", "fail", "error", "pass"]
    assert len(export("classroom", reports / "many")[1]) < 120_000
