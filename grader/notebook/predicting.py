"""`predict`: a guess before the run. The key is computed by a real run; common wrong guesses are known by name."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from grader import catalog
from grader.model import Json, Lab, Prediction, Saw
from grader.notebook.session import answering, players
from grader.notebook.shown import Told
from grader.render.panel import Line, Panel

_RIGHT, _OTHER, _OPEN = "#2e9e5b", "#d9822b", "#8a8f98"


@answering
def predict(name: str, answer: object = ...) -> Told:
    """Give a guess for a question such as `agstate.p1`; `...` shows the question only. Never blocks, never counts."""
    lab, asked = _question(name)
    question = Line("question", asked.question)
    if answer is ...:
        told = f'Put your guess in place of the three dots: predict("{name}", your guess). The run comes after it.'
        return Told(Panel(f"{name} · what do you think?", [question, Line("answer", told)], _OPEN))
    yours, truth = _plain(answer), _key(lab.slug, name)
    if not _same_form(yours, _plain(truth)):
        told = f"Answer with {_form(truth)}, such as predict({name!r}, {_example(truth)})."
        shown = [question, Line("you said", _shown(answer)), Line("answer", told.replace("'", '"'))]
        return Told(Panel(f"{name} · not counted: the answer has another form", shown, _OPEN))
    lines = [question, Line("you said", _shown(yours))]
    if yours == _plain(truth):
        lines += [Line("notice", asked.noticed), Line("why", "Say it in one sentence to yourself: why is it so?")]
        return Told(Panel(f"{name} · right, so it is", lines, _RIGHT))
    lines.append(Line("the run", f"gives {_shown(truth)}"))
    belief = next((each for each in asked.beliefs if _plain(each.answer(asked.inputs)) == yours), None)
    if belief:
        lines += [Line("belief", f"Many think so: {belief.name}."), Line("instead", belief.instead)]
    lines.append(Line("notice", asked.noticed))
    return Told(Panel(f"{name} · the machine does something else", lines, _OTHER))


def _question(name: str) -> tuple[Lab, Prediction]:
    known = {asked.id: (lab, asked) for lab in catalog.labs() for asked in lab.predictions}
    if name not in known:
        raise catalog.UnknownName(catalog.no_such(name, list(known), "question"))
    return known[name]


@functools.cache
def _key(slug: str, name: str) -> Json:
    """The answer of the installed langgraph: the question's act, run in a player with no learner's code in it."""
    _, asked = _question(name)
    player = players().new(slug)
    try:
        seen = player.predict(asked.act, asked.inputs)
    finally:
        player.end()
    if not isinstance(seen, Saw):
        raise RuntimeError(f"the run behind {name} gave no answer: {seen}")
    return seen.facts["answer"]


def _plain(answer: object) -> Json:
    """A guess in one spelling: tuples and sets as lists, words without capitals and blanks at the ends."""
    if isinstance(answer, str):
        return answer.strip().casefold()
    if isinstance(answer, Mapping):
        return {_plain(key): _plain(value) for key, value in answer.items()}
    if isinstance(answer, (set, frozenset)):
        return sorted(map(_plain, answer), key=repr)
    if isinstance(answer, (list, tuple)):
        return [_plain(item) for item in answer]
    return answer


def _same_form(yours: Json, truth: Json) -> bool:
    """Whether both are a word, a number, a list of such, or a dict with the same keys: what differs then is a belief."""
    if isinstance(truth, dict):
        same_keys = isinstance(yours, dict) and set(yours) == set(truth)
        return same_keys and all(_same_form(yours[key], part) for key, part in truth.items())
    if isinstance(truth, list):
        return isinstance(yours, list)
    return _kind(yours) == _kind(truth)


def _kind(answer: Json) -> str:
    """In a learner's words. True and False are no numbers here."""
    kinds = ((str, "one word"), (bool, "True or False"), ((int, float), "a number"), (list, "a list"), (dict, "a dict"))
    return next((told for kind, told in kinds if isinstance(answer, kind)), "None")


def _form(truth: Json) -> str:
    if not isinstance(truth, dict):
        return _kind(truth)
    keys = [repr(key) for key in truth]
    return f"a dict for {', '.join(keys[:-1])} and {keys[-1]}" if len(keys) > 1 else f"a dict for {keys[0]}"


def _example(truth: Json) -> str:
    """An answer of this form that says nothing about the right one."""
    if isinstance(truth, dict):
        return "{" + ", ".join(f"{key!r}: {_example(part)}" for key, part in truth.items()) + "}"
    if isinstance(truth, list):
        return "['one', 'two']" if all(isinstance(part, str) for part in truth) else "[1, 2]"
    return {"one word": "'word'", "a number": "7", "True or False": "True"}.get(_kind(truth), "None")


def _shown(answer: object) -> str:
    text = repr(answer)
    return text if len(text) <= 300 else f"{text[:300]}... ({len(text) - 300} more characters)"
