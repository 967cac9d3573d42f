"""The scripts with which a host of assignments runs the grader: Gradescope's two, and a workflow for GitHub Classroom."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined

from grader.render.gradescope import no_score

PACKAGES = ("langgraph", "langgraph-checkpoint-sqlite", "langchain-core", "typer", "rich", "jinja2")
"""What grading imports. JupyterLab and the rest are for learners."""


@functools.cache
def _environment() -> Environment:
    # Scripts, not HTML: nothing of a learner goes in, and escaping would break quotes.
    return Environment(
        loader=PackageLoader("grader.render"),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def setup_sh() -> str:
    return _environment().get_template("setup.sh").render(packages=PACKAGES)


def run_autograder(slugs: Sequence[str]) -> str:
    content = {"output": no_score("before it could begin"), "output_format": "text", "tests": []}
    labs = " and ".join(slugs) or "all labs"
    fallback = json.dumps(content)
    return _environment().get_template("run_autograder").render(slugs=slugs, labs=labs, no_score=fallback)


def workflow(slugs: Sequence[str], course: str | None) -> str:
    return _environment().get_template("classroom.yml").render(slugs=slugs, course=course, packages=PACKAGES)


def constraints(requirements: str) -> str:
    """The exact versions of `requirements.txt`, without the project itself: pip takes no editable constraint."""
    return "".join(f"{line}\n" for line in requirements.splitlines() if line and not line.startswith("-"))
