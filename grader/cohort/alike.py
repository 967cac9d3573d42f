"""Which submissions are nearly the same code under other names: a hint for an instructor, never a mark.

Only tokens are looked at, nothing is parsed or run. Of each submission a few hundred numbers are kept.
"""

from __future__ import annotations

import builtins
import hashlib
import io
import itertools
import keyword
import tokenize
import warnings
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.cohort.intake import Entry
from grader.model import Lab
from grader.referee.source import NoSource, read_tree
from grader.referee.trees import Unreadable

LENGTH = 12
"""Tokens in a run that is compared."""
KEPT = 4
"""Of the runs, each fourth by its number is kept: the same ones in every submission."""
FEWEST = 25
"""Kept runs, beyond those of the starter, below which a submission is too short to say anything."""
ALIKE = 0.7
"""The share of the shorter submission's runs that the other one has too."""
MOST = 200_000
"""Bytes of one submission that are looked at: twenty times the longest solution."""
LONGEST_LINE = 1_000
"""Characters; a longer line is left out. The tokenizer's time can grow with the square of a line."""
CROWD = 40
"""A run that more submissions have is compared between neighbours only: the work grows with the class, not its square."""

_STARTERS = Path(__file__).resolve().parent.parent / "labs"
_PLAIN = frozenset(keyword.kwlist) | frozenset(dir(builtins))
_TEXTS = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
_LAYOUT = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
_OUTSIDE = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER)


@dataclass(frozen=True)
class Group:
    """Learners of whom each has nearly the code of another one here, and the largest share that two have in common."""

    lab: str
    learners: Sequence[str]
    share: float


def groups(entries: Sequence[Entry], labs: Sequence[Lab]) -> list[Group]:
    """All groups, lab by lab, the most alike first. Nothing that a submission holds can make this fail."""
    found: list[Group] = []
    for lab in labs:
        given = starter_runs(lab)
        prints = [fingerprint(_files(entry, lab), given) for entry in entries]
        found += _grouped(lab, [entry.name for entry in entries], prints)
    return found


def starter_runs(lab: Lab) -> frozenset[int]:
    """All runs of the lab's starter: what everybody was given is nobody's own."""
    files = sorted((_STARTERS / lab.slug / "starter").glob("*.py"))
    return frozenset(run for file in files for run in _runs(file.read_bytes()))


def fingerprint(files: Mapping[str, bytes], given: frozenset[int] = frozenset()) -> array[int]:
    """The kept runs of a submission, sorted; empty where there are too few to compare."""
    own = set(_within(files)) - given
    kept = sorted(run for run in own if run % KEPT == 0)
    return array("Q", kept if len(kept) >= FEWEST else [])


def _within(files: Mapping[str, bytes]) -> Iterator[int]:
    room = MOST
    for name in sorted(files):
        yield from _runs(files[name][:room])
        room = max(0, room - len(files[name]))


def _files(entry: Entry, lab: Lab) -> Mapping[str, bytes]:
    try:
        return read_tree(entry.tree(), lab.file).files
    except (NoSource, Unreadable):
        return {}
    except Exception:  # noqa: BLE001 - a hint must not end a grading, whatever a submission is
        return {}


def _runs(content: bytes) -> Iterator[int]:
    words = list(_words(content))
    for at in range(len(words) - LENGTH + 1):
        text = " ".join(words[at : at + LENGTH]).encode("utf-8", "surrogatepass")
        yield int.from_bytes(hashlib.blake2b(text, digest_size=5).digest(), "big")


def _words(content: bytes) -> Iterator[str]:
    """The tokens without layout, comments and docstrings; every name that its author chose is the same word.

    Of a file that ends in the middle of something, what stands before that is taken.
    """
    before: tokenize.TokenInfo | None = None
    for token in _tokens(content):
        if token.type in _OUTSIDE:
            continue
        opens = before is None or before.type in _LAYOUT
        after_dot = before is not None and before.string == "."
        before = token
        if token.type in _LAYOUT or (token.type == tokenize.STRING and opens):
            continue
        yield _word(token, after_dot)


def _word(token: tokenize.TokenInfo, after_dot: bool) -> str:
    if token.type == tokenize.NAME:
        return token.string if after_dot or token.string in _PLAIN else "name"
    return "text" if token.type in _TEXTS else token.string


def _tokens(content: bytes) -> Iterator[tokenize.TokenInfo]:
    text = content.decode("utf-8-sig", "replace").replace("\0", " ")
    lines = (line for line in io.StringIO(text, newline=None) if len(line) <= LONGEST_LINE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield from tokenize.generate_tokens(lambda: next(lines, ""))
        except (tokenize.TokenError, SyntaxError, ValueError):
            return


# ---------------------------------------------------------------- all against all


def _grouped(lab: Lab, names: Sequence[str], prints: Sequence[array[int]]) -> list[Group]:
    leader = list(range(len(names)))

    def leader_of(one: int) -> int:
        while leader[one] != one:
            leader[one] = one = leader[leader[one]]
        return one

    best: dict[int, float] = {}
    pairs = _pairs(prints)
    for one, other, _ in pairs:
        leader[max(leader_of(one), leader_of(other))] = min(leader_of(one), leader_of(other))
    for one, _, share in pairs:
        best[leader_of(one)] = max(share, best.get(leader_of(one), 0.0))
    members: dict[int, list[str]] = {}
    for one, name in enumerate(names):
        if leader_of(one) in best:
            members.setdefault(leader_of(one), []).append(name)
    found = [Group(lab.slug, learners, best[head]) for head, learners in members.items()]
    return sorted(found, key=lambda group: (-group.share, group.learners[0]))


def _pairs(prints: Sequence[array[int]]) -> list[tuple[int, int, float]]:
    """Pairs that are alike. A list of who has which run says who can be: the others are never looked at."""
    bits = max(1, len(prints)).bit_length()
    postings = array("Q", sorted(run << bits | one for one, each in enumerate(prints) for run in each))
    together: Counter[tuple[int, int]] = Counter()
    for _, run in itertools.groupby(postings, key=lambda posting: posting >> bits):
        holders = [posting & ((1 << bits) - 1) for posting in run]
        if len(holders) <= CROWD:
            together.update(itertools.combinations(holders, 2))
        else:
            together.update(itertools.pairwise(holders))
    likely = [pair for pair, many in sorted(together.items()) if many >= FEWEST // 5]
    shares = [(one, other, _share(prints[one], prints[other])) for one, other in likely]
    return [pair for pair in shares if pair[2] >= ALIKE]


def _share(one: array[int], other: array[int]) -> float:
    return len(set(one) & set(other)) / min(len(one), len(other))
