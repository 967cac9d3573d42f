"""Hostile submissions, run against the grader: what each must not achieve, seen from outside."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.referee.players import Players
from tests.attacks import runner
from tests.attacks.runner import Attack

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="The attacks speak to a Linux kernel.")

CORPUS = runner.corpus()
BITES = {
    "read-secret_at_import": "secret_read",
    "read-solution_by_path": "secret_read",
    "read-other_submission": "secret_read",
    "read-arguments_of_another_process": "secret_read",
    "write-anywhere": "wrote_outside",
    "write-a_report_added": "wrote_outside",
    "write-the_solution": "wrote_outside",
    "write-chmod": "wrote_outside",
}
"""Attacks that succeed where only limits hold, and what is then seen from outside: the corpus is known to bite."""


@pytest.fixture(scope="module")
def walled() -> Iterator[Players]:
    """Players behind the highest walls that this machine has."""
    with runner.players_at(None) as made:
        yield made


@pytest.fixture(scope="module")
def bare() -> Iterator[Players]:
    """Players behind limits only: no wall round files, network and processes."""
    with runner.players_at(1) as made:
        yield made


@pytest.mark.parametrize("attack", CORPUS, ids=lambda each: f"{each.kind}-{each.name}")
def test_it_is_refused(attack: Attack, walled: Players, tmp_path: Path) -> None:
    if attack.needs > runner.level_of(walled):
        pytest.skip(f"Refused from level {attack.needs} on; here it is {runner.level_of(walled)}.")
    outcome = runner.run(attack, walled, tmp_path)
    meant = {name: told for name, told in outcome.broken.items() if name in runner.ALWAYS or name in attack.refused}
    if outcome.broken:
        walled.close()
    assert meant == {}, f"{runner.said(outcome)}\n{runner.faults(outcome)}"


@pytest.mark.parametrize(
    "attack", [each for each in CORPUS if f"{each.kind}-{each.name}" in BITES], ids=lambda each: each.name
)
def test_it_bites_where_there_are_no_walls(attack: Attack, bare: Players, tmp_path: Path) -> None:
    outcome = runner.run(attack, bare, tmp_path)
    bare.close()
    assert BITES[f"{attack.kind}-{attack.name}"] in outcome.broken, runner.said(outcome)


def test_every_attack_that_is_said_to_bite_is_there() -> None:
    assert {f"{each.kind}-{each.name}" for each in CORPUS} >= set(BITES)
