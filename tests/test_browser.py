"""What a learner sees in JupyterLab: a passing and a failing check, a diagram, a trace. Pictures go to `--basetemp`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import browser
from tests.conftest import copy_of_the_course

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (browser.CHROMIUM and browser.DRIVER), reason="needs Chromium and its driver"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # selenium's own sockets
]

HALF = """from typing import TypedDict
class State(TypedDict, total=False):
    trace: list
"""


def table_of(cell: Any) -> str:
    return str(cell.find_element("css selector", ".jp-OutputArea-output section").text)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_checks_a_diagram_and_a_trace_are_shown(dark: bool, tmp_path: Path) -> None:
    root = copy_of_the_course(tmp_path / "course")
    (root / "labs" / "agstate" / "state.py").write_text(HALF, encoding="utf-8")
    with browser.jupyterlab(root / "labs", dark=dark) as address, browser.chromium(tmp_path / "profile") as driver:
        browser.open_notebook(driver, address, "00_start.ipynb")
        browser.run_all(driver)
        shown = {name: browser.look_at(driver, f"start-{name}") for name in ("show", "check", "trace")}
        assert driver.execute_script("return document.body.dataset.jpThemeLight") == ("false" if dark else "true")
        browser.look_at(driver, "start-show")
        browser.until(driver, "return !!document.querySelector('.jp-RenderedMermaid img, .jp-RenderedMermaid svg')")
        driver.save_screenshot(str(tmp_path / "show.png"))
        for name, words in (("check", "agstart.hello · PASSED"), ("trace", "superstep"), ("doctor", "All is well")):
            shown[name] = browser.look_at(driver, f"start-{name}")
            assert words in table_of(shown[name])
            driver.save_screenshot(str(tmp_path / f"{name}.png"))
        browser.open_notebook(driver, address, "01_agstate.ipynb")
        browser.run_all(driver)
        failing = table_of(browser.look_at(driver, "agstate-append-check"))
        assert failing.startswith("agstate.append · NEEDS WORK")
        assert "first difference marked" in failing and "[AGS-OVERWRITE]" in failing
        driver.save_screenshot(str(tmp_path / "failing.png"))
        browser.look_at(driver, "agstate-overwrite-predict-p1")
        driver.save_screenshot(str(tmp_path / "predict.png"))
        browser.look_at(driver, "agstate-end-check")
        driver.save_screenshot(str(tmp_path / "end.png"))
