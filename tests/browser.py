"""JupyterLab in headless Chromium, as a learner sees it: opened on a copy of the course, all cells run."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --window-size=1400,1000 --force-color-profile=srgb"
)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def jupyterlab(labs: Path, *, dark: bool = False) -> Iterator[str]:
    """A server on the folder `labs`; gives its address."""
    port = _free_port()
    home = labs.parent / "home"
    settings = home / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True, exist_ok=True)
    theme = "JupyterLab Dark" if dark else "JupyterLab Light"
    (settings / "themes.jupyterlab-settings").write_text(f'{{"theme": "{theme}"}}', encoding="utf-8")
    options = (
        f"--no-browser --allow-root --ip=127.0.0.1 --port={port} --ServerApp.port_retries=0 --LabApp.news_url=None"
    )
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        *options.split(),
        "--IdentityProvider.token=",
        "--expose-app-in-browser",
    ]
    command.append(f"--LabApp.user_settings_dir={home / 'lab' / 'user-settings'}")
    command.append(f"--LabApp.workspaces_dir={home / 'lab' / 'workspaces'}")
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home),
        "JUPYTER_CONFIG_PATH": str(ROOT / ".jupyter"),
        "JUPYTER_PREFER_ENV_PATH": "1",
    }
    log = (labs.parent / "jupyterlab.log").open("wb")
    with log, subprocess.Popen(command, cwd=labs, env=environment, stdout=log, stderr=log) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            _await(address, server)
            yield address
        finally:
            server.terminate()


def _await(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if server.poll() is not None:
            raise RuntimeError(f"JupyterLab ended with code {server.returncode}")
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/api", timeout=5):
            return
        time.sleep(0.2)
    raise RuntimeError("JupyterLab did not answer within a minute")


@contextlib.contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*_FLAGS.split(), f"--user-data-dir={profile}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    try:
        yield driver
    finally:
        driver.quit()


def open_notebook(driver: Any, address: str, name: str) -> None:
    """Open a notebook and wait until its kernel is there."""
    # JupyterLab has no current notebook in a window that never had the focus.
    driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
    driver.get(f"{address}/lab/tree/{name}?reset")
    until(driver, "return !!window.jupyterapp && !!document.querySelector('.jp-Notebook .jp-CodeCell')")
    until(
        driver,
        "const p = window.jupyterapp.shell.currentWidget; const k = p && p.sessionContext && p.sessionContext.session;"
        "return !!(k && k.kernel && k.kernel.status === 'idle')",
    )


def run_all(driver: Any) -> None:
    """Run every cell and wait until the last one is done."""
    done = driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => done(''), e => done(String(e)))"
    )
    assert done == "", done


def look_at(driver: Any, cell: str) -> Any:
    """Scroll a cell into view, by its id, and give its element once it shows an output."""
    index = driver.execute_script(
        "const c = window.jupyterapp.shell.currentWidget.content;"
        "const i = c.widgets.findIndex(w => w.model.id === arguments[0]); c.activeCellIndex = i;"
        "c.scrollToItem(i, 'smart'); return i",
        cell,
    )
    assert index >= 0, f"there is no cell {cell}"
    until(driver, "return !!document.querySelector('.jp-Cell.jp-mod-active .jp-OutputArea-output')")
    return driver.find_element("css selector", ".jp-Cell.jp-mod-active")


def until(driver: Any, script: str, seconds: float = 60) -> None:
    """Wait until a script gives true."""
    end = time.monotonic() + seconds
    while not driver.execute_script(script):
        if time.monotonic() > end:
            raise TimeoutError(f"still not true after {seconds} s: {script}")
        time.sleep(0.1)
