"""Lab 1: a state is its keys plus the rules that merge them. Steps, and what each probe says it tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grader.labs.agstate import beliefs, draws, judges, texts
from grader.model import Belief, Inputs, Json, Lab, Prediction, Probe, Step
from grader.wording import counted, named

_REDUCER = {"sources": "merge_sources", "best_score": "keep_max", "notes": "keep_recent"}
_PLAIN = tuple(f"State.{key}" for key in ("question", "doc_ref", "answer", "memo"))


def _step(name: str, names: tuple[str, ...], *probes: Probe, writes: tuple[str, ...] = ()) -> Step:
    step = f"agstate.{name}"
    told = texts.HINTS[step], texts.NOTICED[step]
    return Step(step, texts.TITLES[step], names, probes, beliefs.OF_STEP[step], *told, writes=writes)


def _chain(inputs: Inputs) -> str:
    return f"{counted(len(inputs['names']), 'node')} in a row: {named(inputs['names'])}"


def _merge(inputs: Inputs) -> str:
    window = f" with WINDOW = {inputs['window']}" if inputs.get("window") is not None else ""
    return f"{inputs['reducer']}({inputs['old']!r}, {inputs['new']!r}){window}"


def _flow(inputs: Inputs) -> str:
    key = inputs["key"]
    steps = "; then ".join(
        " beside ".join(f"{name!r} writes {value!r}" for name, value in group.items() if value is not None)
        for group in inputs["groups"]
    )
    start = f", starting from {key}={inputs['start']!r}" if inputs["start"] is not None else ""
    window = f", with WINDOW = {inputs['window']}" if inputs["window"] is not None else ""
    branch = ", with a conditional edge behind every node" if inputs["branch"] else ""
    return f"a graph over State in which {steps}{start}{window}{branch}; run three times on one thread"


def _build(inputs: Inputs) -> str:
    names = [name for name, _ in inputs["nodes"]]
    sent = " and ".join(sorted(inputs["sent"][0]))
    return f"build with {counted(len(names), 'node')}: {named(names)}; run twice on one thread with {sent}"


def _growth(inputs: Inputs) -> str:
    threads = ", ".join(f"{name!r} ran {counted(len(runs), 'time')}" for name, runs in inputs["threads"])
    return f"a chain of {counted(len(inputs['nodes']), 'node')} with one saver; thread {threads}"


def _pointer(inputs: Inputs) -> str:
    lengths = ", ".join(str(len(text)) for _, text in inputs["submitted"])
    return f"{counted(len(inputs['submitted']), 'text')} submitted to one store, of {lengths} characters"


def _decisions(inputs: Inputs) -> str:
    return "DECISIONS, and three writes to every key of your State"


def _store(inputs: Inputs) -> Mapping[str, Callable[..., Json]]:
    """The store of one `submit` trial: it lies here, and the learner's code reaches it over the wire."""
    held: dict[str, Json] = {}
    return {
        "get": lambda key: held.get(str(key)),
        "put": lambda key, value: held.update({str(key): value}),
        "drop": lambda key: held.pop(str(key), None),
        "keys": lambda: list(held),
    }


def _visits(inputs: Inputs) -> Mapping[str, Callable[..., Json]]:
    return {"enter": lambda name, seen: None}


def _key_step(name: str, key: str, flows: Callable[..., object]) -> Step:
    """A step about one key of `State`: its reducer called directly, where it has a name, then in graphs."""
    reducer = _REDUCER.get(key)
    probes = [Probe("flow", "flow", flows, judges.flowed, _flow)]  # type: ignore[arg-type]
    if reducer:
        probes.insert(0, Probe("merge", "merge", _merges(key, reducer), judges.merged, _merge))
    names = ("State", reducer) if reducer else ("State",)
    writes = (reducer, f"State.{key}") if reducer else (f"State.{key}",)
    return _step(name, names + (("WINDOW",) if key == "notes" else ()), *probes, writes=writes)


def _merges(key: str, reducer: str) -> Callable[..., list[Inputs]]:
    if key == "best_score":
        return lambda luck: list(draws.merge_numbers(luck, key, reducer))
    return lambda luck: list(draws.merge_lists(luck, key, reducer, windows=key == "notes"))


STEPS = (
    _step(
        "overwrite",
        ("BareState", "run_bare"),
        Probe("run_bare", "run_bare", draws.names, judges.bare, _chain),
        Probe("chain", "bare_chain", draws.names, judges.bare_chain, _chain),
        writes=("BareState.trace", "run_bare"),
    ),
    _key_step("append", "trace", draws.append_flows),
    _key_step("dedupe", "sources", draws.dedupe_flows),
    _key_step("maximum", "best_score", draws.maximum_flows),
    _key_step("window", "notes", draws.window_flows),
    _key_step("budget", "used_calls", draws.budget_flows),
    _step(
        "schemas",
        ("State", "InputState", "OutputState", "build"),
        Probe("build", "build_run", draws.builds, judges.built, _build, _visits),
        writes=(*_PLAIN, "InputState", "OutputState", "build"),
    ),
    _step("growth", ("checkpoint_sizes",), Probe("sizes", "sizes", draws.growths, judges.sized, _growth)),
    _step("pointer", ("submit",), Probe("submit", "pointer", draws.pointers, judges.pointed, _pointer, _store)),
    _step(
        "decisions",
        ("State", "DECISIONS", "WINDOW"),
        Probe("decisions", "decisions", draws.decision_writes, judges.decided, _decisions),
        writes=("DECISIONS",),
    ),
)


def _prediction(drawn: Mapping[str, Json]) -> Prediction:
    known = tuple(Belief(each["name"], each["answer"], each["instead"]) for each in drawn["beliefs"])
    return Prediction(drawn["id"], drawn["question"], drawn["act"], drawn["inputs"], known, drawn["noticed"])


LAB = Lab(
    "agstate",
    "A state is its keys plus the rules that merge them",
    1,
    "agstate.state",
    STEPS,
    tuple(_prediction(drawn) for drawn in texts.PREDICTIONS),
)
