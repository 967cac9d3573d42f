"""The four levels of isolation, and what each one means to a teacher. A level is seen, never concluded from versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.model import Isolation

SEALED, WALLED, LIMITED, SEPARATE = 3, 2, 1, 0
LOWEST_FOR_STRANGERS = WALLED

ASPECTS = {
    "read_outside": "reading your files",
    "write_outside": "writing outside of its own folder",
    "network": "using the network",
    "other_processes": "touching other processes",
    "new_processes": "starting processes",
    "root": "running as root",
    "memory": "taking all memory",
    "sizes_outside": "seeing which of your files exist",
}
"""What the canary tries, in a teacher's words."""

_DECIDES: tuple[tuple[int, Sequence[str]], ...] = (
    (LIMITED, ("read_outside", "write_outside", "network", "other_processes", "new_processes", "memory")),
    (WALLED, ("sizes_outside", "root")),
)
"""An aspect that was possible holds the level at this number, or below."""


def isolation_of(observed: Mapping[str, str], how: Sequence[str]) -> Isolation:
    """What the preflight saw, aspect by aspect (`refused` or `possible`), as a level and a sentence."""
    possible = [name for name in ASPECTS if observed.get(name) == "possible"]
    level = min((level for level, aspects in _DECIDES if set(aspects) & set(possible)), default=SEALED)
    return Isolation(level, _sentence(level, [ASPECTS[name] for name in possible]), dict(observed), tuple(how))


def _sentence(level: int, possible: Sequence[str]) -> str:
    if level == SEALED:
        return (
            "Checked at level 3: the code ran behind two walls, without files, network or processes of this machine; an "
            "attack of our own on them was refused."
        )
    if level == WALLED:
        return (
            "Checked at level 2: the code ran behind a wall round files, network and processes; an attack of our own on it "
            f"was refused. It could not be kept from {_listed(possible)}."
        )
    return (
        "Checked at level 1: in a process of its own with limits of time and memory, but without walls. This machine could "
        f"not keep the code from {_listed(possible)}. Fine for your own code; do not grade strangers' work here."
    )


def _listed(parts: Sequence[str]) -> str:
    return " or ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
