"""Grade on an existing Dask cluster: the same code for each submission, with players that live in the workers.

A submission travels as the bytes that were read here, its result comes back as JSON; no worker opens a file of ours.
"""

from __future__ import annotations

import itertools
import json
import secrets
import traceback
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

from grader import catalog
from grader.cohort.grade import Submission, faulty
from grader.cohort.intake import NothingToGrade
from grader.cohort.journal import grader_version
from grader.cohort.pool import Crew
from grader.cohort.result import Result, as_plain, from_plain, result_of
from grader.model import Isolation, Lab

CONNECT_SECONDS = 20
_AT_A_WORKER = 2
"""Submissions that are under way for each thread of the cluster: one graded, one already there."""

# State of a worker, not of the grader: what a task leaves for the next one can only lie in the worker's own process.
_crews: dict[str, Crew] = {}


class NoCluster(NothingToGrade):
    """The cluster cannot be reached or cannot be used; the text says what to do."""


class OtherVersion(Exception):
    """A worker has another grader, Python or langgraph than whoever asks: its verdicts could differ."""


class Cluster:
    """The workers behind a Dask scheduler. Raises NoCluster."""

    def __init__(self, address: str) -> None:
        try:
            import distributed  # An extra: nobody needs it on one machine.
        except ImportError:
            raise NoCluster(
                "Dask is not installed. Install it in the environment of the grader, here and on each worker: "
                "`python -m pip install -r requirements-dev.txt`."
            ) from None
        self._address = address
        self._run = secrets.token_hex(8)
        self._numbers = itertools.count()
        self._lowest = 0
        self._waited_for: set[Any] = set()
        try:
            self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise NoCluster(
                f"There is no Dask scheduler with workers at {address!r} ({error or 'no answer'})."
            ) from None
        self._refuse_others()
        self.jobs = _AT_A_WORKER * sum(self._client.nthreads().values())

    def refuse_below(self, lowest: int) -> str:
        """Each worker looks at its own walls, before its first submission; its reports tell what it saw."""
        self._lowest = lowest
        return f"Graded at {self._address}: each worker looks at its own walls, and each report tells their level."

    def grade(self, submission: Submission, labs: Sequence[Lab], seed: str) -> Result:
        """Called by many threads at a time. A task whose worker dies is done again by another one."""
        from distributed.scheduler import KilledWorker

        slugs = [lab.slug for lab in labs]
        key = f"grade-{self._run}-{next(self._numbers)}"
        try:
            asked = self._client.submit(
                grade_here, self._run, grader_version(), self._lowest, submission, slugs, seed, key=key
            )
            self._waited_for.add(asked)
            answer = asked.result()
            self._waited_for.discard(asked)
        except KilledWorker:
            return result_of(faulty(submission.learner, labs, seed, traceback.format_exc(limit=-2), Isolation()))
        except OtherVersion as other:
            raise NoCluster(str(other)) from None
        except (CancelledError, OSError):
            raise NoCluster(
                f"The scheduler at {self._address!r} is gone. The same command goes on from here."
            ) from None
        return from_plain(json.loads(answer))

    def abandon(self) -> None:
        with suppress(OSError, CancelledError):
            self._client.cancel(list(self._waited_for), force=True)
        self._leave()

    def close(self) -> None:
        self._leave()
        self._client.close()

    def _leave(self) -> None:
        with suppress(Exception):  # A cluster that is gone already needs no leave.
            self._client.run(leave_here, self._run, on_error="ignore")

    def _refuse_others(self) -> None:
        try:
            versions = self._client.run(version_here)
        except Exception as error:  # noqa: BLE001 - whatever a worker without the grader raises comes back as itself
            raise NoCluster(
                f"A worker of {self._address!r} cannot run the grader: {error}. Install it there."
            ) from None
        for worker, version in versions.items():
            if version != grader_version():
                self._client.close()
                raise NoCluster(_other(worker))


def _other(worker: str) -> str:
    return f"The worker {worker} has another version of the grader, of Python or of langgraph. Install the same there."


def version_here() -> str:
    """The version of the grader in this worker; a function of this module, so that the worker's own is asked."""
    return grader_version()


def grade_here(run: str, version: str, lowest: int, submission: Submission, slugs: Sequence[str], seed: str) -> str:
    """What a worker does for one submission. Its players are kept for the next one."""
    if version != grader_version():
        from distributed import get_worker

        raise OtherVersion(_other(get_worker().address))
    labs = [catalog.lab_of(slug) for slug in slugs]
    crew = _crews.setdefault(run, Crew(1))
    crew.refuse_below(lowest)
    return json.dumps(as_plain(crew.grade(submission, labs, seed)))


def leave_here(run: str) -> None:
    """End the players that a run left in this worker."""
    crew = _crews.pop(run, None)
    if crew is not None:
        crew.abandon()
        crew.close()
