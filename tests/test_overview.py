"""The page over all learners in a browser: all of it without scripts, sorted by a click with them, no request to anybody."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from grader import catalog
from grader.cohort import write
from grader.cohort.alike import Group
from grader.cohort.items import Line
from grader.model import Verdict
from tests import browser

LABS = catalog.graded_labs()
STEPS = [step.id for lab in LABS for step in lab.steps]
STRANGE = "<img src=x onerror=document.title='caught'>"
needs_a_browser = [
    pytest.mark.slow,
    pytest.mark.skipif(not (browser.CHROMIUM and browser.DRIVER), reason="needs Chromium and its driver"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # selenium's own sockets
]


def a_class(learners: int) -> list[Line]:
    """Learners of growing ability; the last one has a name that is markup, and met a fault of the grader."""
    luck = random.Random(3)
    lines = []
    for number in range(learners):
        words = [
            Verdict.PASSED
            if luck.random() < (number + 2) / learners * (1 - place / 40)
            else luck.choice([Verdict.NEEDS_WORK, Verdict.BROKEN, Verdict.NOT_STARTED, Verdict.BLOCKED])
            for place in range(len(STEPS))
        ]
        name = f"learner-{number:02}"
        if number == learners - 1:
            words[1], name = Verdict.GRADER_FAULT, STRANGE
        codes = ["AGS-OVERWRITE" if word is Verdict.NEEDS_WORK else "" for word in words]
        titles = {"AGS-OVERWRITE": "The last write replaced the others"}
        verdicts = tuple(map(str, words))
        lines.append(Line(name, words.count(Verdict.PASSED), len(STEPS), verdicts, tuple(codes), titles))
    return lines


def page(out: Path, learners: int = 30) -> str:
    groups = [
        Group("agstate", ["learner-03", "learner-07", STRANGE], 0.97),
        Group("aghitl", ["learner-01", "learner-02"], 0.71),
    ]
    notes = ["learner-04: `agstate/state.py` was found as `My Work/state.py`."]
    write.overview(a_class(learners), LABS, "monday", "Checked at level 1.", notes, groups, out)
    return (out / "report.html").read_text(encoding="utf-8")


def test_the_page_says_which_learners_met_a_fault_and_who_is_alike(tmp_path: Path) -> None:
    text = page(tmp_path)
    assert "The grader failed for 1 learner." in text and text.count('class="fault"') == 1
    assert "This is a hint to look, and never a mark:" in text and "97 %" in text
    assert STRANGE not in text
    assert page(tmp_path) == text


def test_without_faults_and_likeness_nothing_is_said_of_them(tmp_path: Path) -> None:
    write.overview(a_class(12)[:-1], LABS, "monday", "Checked at level 1.", [], [], tmp_path)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "The grader failed" not in text and "Alike</h2>" not in text


def shown(driver: Any, table: str, column: int) -> list[str]:
    rows = driver.find_elements("css selector", f"{table} tbody tr")
    return [row.find_elements("css selector", "th, td")[column].text for row in rows]


def click(driver: Any, table: str, head: str) -> Any:
    heads = driver.find_elements("css selector", f"{table} thead tr:last-child th")
    (found,) = [each for each in heads if each.text.partition(" ▲")[0].partition(" ▼")[0] == head]
    found.find_element("css selector", "button").click()
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
class TestInABrowser:
    pytestmark = needs_a_browser

    def test_the_page_is_whole_and_sorts_where_scripts_run(self, scripts: bool, dark: bool, tmp_path: Path) -> None:
        page(tmp_path)
        with browser.chromium(tmp_path / "profile") as driver:
            driver.set_window_size(1280, 800)
            scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
            driver.get((tmp_path / "report.html").as_uri())
            assert driver.title == "Grading, seed monday"
            names = shown(driver, ".matrix", 0)
            assert len(names) == 30 and names[:2] == ["learner-00", "learner-01"] and STRANGE in names
            assert shown(driver, "#steps", 0)[0].startswith("agstate.overwrite")
            assert bool(driver.find_elements("css selector", "button.sort")) == scripts
            for number, part in enumerate(("h1", "#alike", "#learners")):
                top = f"document.querySelector('{part}').getBoundingClientRect().top + scrollY"
                driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
                driver.execute_script(f"scrollTo(0, {top} - 12)")
                driver.save_screenshot(str(tmp_path / f"part-{number}.png"))
            if scripts:
                self.sorts(driver)
                driver.save_screenshot(str(tmp_path / "sorted.png"))

    def sorts(self, driver: Any) -> None:
        points = [int(each.partition("/")[0]) for each in shown(driver, ".matrix", 1)]
        head = click(driver, ".matrix", "points")
        assert [int(each.partition("/")[0]) for each in shown(driver, ".matrix", 1)] == sorted(points)
        assert head.get_attribute("aria-sort") == "ascending"
        click(driver, ".matrix", "points")
        assert [int(each.partition("/")[0]) for each in shown(driver, ".matrix", 1)] == sorted(points, reverse=True)
        click(driver, "#steps", "tells apart")
        told = [float(each.replace("−", "-")) for each in shown(driver, "#steps", 3) if each != "–"]
        assert len(told) > 10 and told == sorted(told)
