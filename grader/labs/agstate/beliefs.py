"""The known wrong beliefs of lab 1, steps 1 to 6: what each is, why it does not hold, and the way out.

Order is precedence: the special belief stands before the general one. See FACTS for the threads behind them.
"""

from __future__ import annotations

from grader.diagnose import any_of, raises
from grader.labs.agstate import rules
from grader.labs.agstate.beliefs_of_graphs import SCHEMAS
from grader.labs.agstate.beliefs_of_storage import DECISIONS, GROWTH, POINTER
from grader.labs.agstate.fits import (
    bare_keeps,
    changes_old,
    dedupe_against_old,
    dedupe_newest_first,
    dedupe_without_falsy,
    dedupe_without_new_falsy,
    falsy_old_is_nothing,
    floats_for_ints,
    flows_as,
    front,
    frozen,
    gave_none,
    handed_back,
    merges_as,
    minus_zero,
    negative_start,
    new_only,
    new_only_minus_zero,
    newest_first,
    newest_once,
    no_graph,
    none_given,
    other_order,
    overwrites,
    rule,
    shaped,
    unhashable,
    window_newest_first,
    zero_for_nothing,
)
from grader.labs.agstate.rules import NOTHING
from grader.model import Diagnosis

_BUILTIN = Diagnosis(
    "AGS-BUILTIN",
    "A builtin cannot be a reducer",
    "LangGraph reads a reducer's signature, and a builtin such as `max` has none that Python can tell. So a graph over "
    "this State cannot even be built, and every step that needs one stops here.",
    "Write a function of two arguments, `(old, new)`, and name that one in `Annotated`.",
    raises("ValueError", "no signature found for builtin"),
)
_SIGNATURE = Diagnosis(
    "AGS-SIGNATURE",
    "A reducer takes exactly two arguments",
    "LangGraph refused a reducer of `State`: it has to take two positional arguments, the old value and the new one.",
    "Give the reducer the signature `(old, new)`; what else it needs it reads from the module.",
    raises("ValueError", "Invalid reducer signature"),
)
_NOT_LAST = Diagnosis(
    "AGS-NOT-LAST",
    "The reducer is not last in Annotated",
    "Only the last item of `Annotated[...]` counts as the reducer. A text behind it hides it, and the key is overwritten "
    "without any error.",
    "Put the reducer last in `Annotated[...]`.",
    shaped("not last", flows_as(rules.overwrite, NOTHING)),
)
_IN_OPTIONAL = Diagnosis(
    "AGS-IN-OPTIONAL",
    "The reducer is inside Optional",
    "`Optional[Annotated[...]]` hides the reducer from LangGraph: it looks at the outermost layer only, and the key is "
    "overwritten without any error.",
    "Turn the two round: `Annotated[Optional[...], reducer]`.",
    shaped("inside", flows_as(rules.overwrite, NOTHING)),
)
_ON_ITEMS = Diagnosis(
    "AGS-ON-ITEMS",
    "The reducer stands at the items of the list",
    "`list[Annotated[str, add]]` says something about each item, and nothing about the key: LangGraph looks at the "
    "outermost layer only, and the key is overwritten without any error.",
    "Put `Annotated` outermost: `Annotated[list[str], reducer]`.",
    shaped("items", flows_as(rules.overwrite, NOTHING)),
)
_OVERWRITE = Diagnosis(
    "AGS-OVERWRITE",
    "The last write replaced the others",
    "A key without a reducer keeps only the newest value: each superstep overwrites it, and two nodes that write it in "
    "one superstep are refused.",
    "Say in `State` how two values of this key combine: `Annotated[type, reducer]`.",
    overwrites("plain"),
)
_SAME_AS_OVERWRITE = Diagnosis(
    "AGS-KEEPS-NEWEST",
    "The reducer gives the newer value",
    "The key has a reducer, but what it returns is the new value alone, so the key behaves as if it had none.",
    "Let the reducer combine both of its arguments.",
    any_of(rule(rules.overwrite), rule(newest_once)),
)
_IN_PLACE = Diagnosis(
    "AGS-IN-PLACE",
    "The reducer changes its old value in place",
    "LangGraph may call a reducer more than once with the same old value (a branch behind the writer does), and older "
    "snapshots share that list. Changed in place, it gains entries that no node wrote, and history is rewritten.",
    "Return a new list, such as `[*old, *new]`, and leave both arguments alone.",
    changes_old,
)
_RETURNS_NONE = Diagnosis(
    "AGS-RETURNS-NONE",
    "The reducer returns None",
    "`list.extend` and `list.append` change a list and give None. What the reducer returns becomes the value of the key, "
    "so the key is None from then on.",
    "Build the merged list as an expression and return that.",
    gave_none,
)
_NONE = Diagnosis(
    "AGS-NONE",
    "None on one side is not expected",
    "A node that has nothing to report may write None, and then one argument of the reducer is None. This reducer raised.",
    "Treat None as nothing on either side before you combine.",
    none_given,
)
_NOT_FRESH = Diagnosis(
    "AGS-NOT-FRESH",
    "The reducer hands one of its arguments back",
    "The result is the very list that came in. Whoever changes it later changes a value that older snapshots share.",
    "Return a fresh list also where there is nothing to add.",
    handed_back,
)
_BACKWARDS = Diagnosis(
    "AGS-BACKWARDS",
    "The new value stands before the old one",
    "All entries are there, in the wrong order: a reducer is called as `(old, new)`, and this one puts `new` in front.",
    "Join in the order of time: `old + new`.",
    any_of(rule(newest_first), rule(dedupe_newest_first), rule(window_newest_first)),
)
_SET_ORDER = Diagnosis(
    "AGS-SET-ORDER",
    "A set forgets the order",
    "The right items came, in another order than they were first seen in: a `set` keeps no order.",
    "Go through the items one by one and append those that are not there yet.",
    other_order,
)
_UNHASHABLE = Diagnosis(
    "AGS-UNHASHABLE",
    "Dicts and lists cannot go into a set",
    "A `set` and the keys of a dict take hashable items only. Sources may be dicts or lists, and then this raises "
    "TypeError.",
    "Look an item up in the merged list itself (`item not in merged`): that needs equality only.",
    unhashable,
)
_FALSY = Diagnosis(
    "AGS-FALSY",
    "Falsy items are dropped",
    "`0`, an empty text, None and an empty list are items like any other; a test such as `if item` throws them away.",
    "Test whether the item is there already, not whether it is true.",
    any_of(rule(dedupe_without_falsy), rule(dedupe_without_new_falsy)),
)
_DEDUPE_INSIDE = Diagnosis(
    "AGS-DEDUPE-INSIDE",
    "New items are compared with the old ones only",
    "Two equal items inside one update both stayed: each was compared with what was there before the update.",
    "Compare each item with all that has been merged so far, this update included.",
    rule(dedupe_against_old),
)
_ONLY_APPENDS = Diagnosis(
    "AGS-ONLY-APPENDS",
    "The key only appends",
    "Items that were there already came in a second time: old and new are joined, and nothing is compared.",
    "Append an item only where it is not there yet.",
    rule(rules.append),
)
_ZERO_START = Diagnosis(
    "AGS-ZERO-START",
    "The maximum starts at zero",
    "With negative scores only, the best one came out as 0.0, which no node wrote. A channel of type `float` starts at "
    "0.0, not at nothing, and `old or 0` says the same in code.",
    "Give the key the type `float | None`, so that the channel starts at nothing, and test for None with `is None`.",
    any_of(
        flows_as(rules.maximum, 0.0),
        flows_as(zero_for_nothing, 0.0),
        flows_as(zero_for_nothing),
        merges_as(zero_for_nothing),
    ),
)
_FALSY_OLD = Diagnosis(
    "AGS-FALSY-OLD",
    "0.0 is taken for nothing",
    "An old best of 0.0 was lost against a negative score: `if not old` is true of 0.0 as well as of None.",
    "Ask `old is None`.",
    rule(falsy_old_is_nothing),
)
_MINUS_ZERO = Diagnosis(
    "AGS-MINUS-ZERO",
    "A window of 0 keeps everything",
    "`both[-0:]` is `both[0:]`: the whole list. A window of 0 has to keep nothing.",
    "Count from the front, never below 0: `both[max(len(both) - WINDOW, 0):]`.",
    rule(minus_zero),
)
_NEGATIVE_START = Diagnosis(
    "AGS-NEGATIVE-START",
    "A window larger than the list loses notes",
    "With fewer notes than `WINDOW`, `len(both) - WINDOW` is negative, and a slice counts a negative start from the end: "
    "notes are cut though there was room for all.",
    "Keep the start from going below 0: `both[max(len(both) - WINDOW, 0):]`.",
    rule(negative_start),
)
_FROZEN = Diagnosis(
    "AGS-WINDOW-FROZEN",
    "WINDOW was read too early",
    "`WINDOW` was changed, and the reducer went on with 3: its value was taken when the module was imported (a default "
    "argument, a `partial`, a closure do that).",
    "Read `WINDOW` inside the reducer's body, where it runs.",
    any_of(rule(frozen), rule(lambda old, new, window: rules.append(old, new)[-3:])),
)
_FRONT = Diagnosis(
    "AGS-FRONT",
    "The window keeps the oldest notes",
    "The first notes stayed and the newest were dropped; a window keeps the last ones.",
    "Cut from the front of the list, so that its end stays.",
    rule(front),
)
_NEW_ONLY = Diagnosis(
    "AGS-NEW-ONLY",
    "Only the new notes are cut",
    "The window was applied to the update alone, and then joined to all that was there: the list still grows.",
    "Join first, then cut the joined list.",
    any_of(rule(new_only), rule(new_only_minus_zero)),
)
_TRIM = Diagnosis(
    "AGS-TRIM-IN-NODE",
    "The cap is not in the reducer",
    "In a graph whose nodes do not trim, `notes` grew without end. A cap that lives in nodes holds only as long as every "
    "node remembers it.",
    "Name the windowing reducer in `State`, and let nodes return their own notes only.",
    flows_as(rules.append),
)


_BARE = Diagnosis(
    "AGS-BARE-REDUCER",
    "This state already keeps every write",
    "Step 1 shows the accident, before its cure: over `BareState` only the last name is left, since its key has no "
    "reducer. Here all names were kept.",
    "Give `BareState` one key, `trace: list`, and nothing else; let every node return only its own name.",
    bare_keeps,
)


_NO_GRAPH = Diagnosis(
    "AGS-NO-GRAPH",
    "No graph ran",
    "The trace is right, and none of the nodes ran for it: it was worked out without a graph. The step is about seeing "
    "how a graph comes to this trace.",
    "Build a graph over `BareState` with one node for each name, run it, and return the `trace` that it leaves.",
    no_graph,
)
_FLOAT_SUM = Diagnosis(
    "AGS-FLOAT-SUM",
    "The count is a float",
    "The sums are right, and each came as a float: a channel of type `float` starts at 0.0, and so a count of calls, "
    "which is a whole number, becomes 3.0.",
    "Give the key the type `int`.",
    floats_for_ints,
)


def _key_beliefs(*special: Diagnosis) -> tuple[Diagnosis, ...]:
    """Beliefs about one key of `State`: those of the whole class first, the special ones, then the general ones."""
    whole = (_BUILTIN, _SIGNATURE, _NOT_LAST, _IN_OPTIONAL, _ON_ITEMS, _OVERWRITE, _IN_PLACE, _RETURNS_NONE)
    return (*whole, *special, _NONE, _NOT_FRESH, _SAME_AS_OVERWRITE)


OF_STEP: dict[str, tuple[Diagnosis, ...]] = {
    "agstate.overwrite": (_BARE, _NO_GRAPH),
    "agstate.append": _key_beliefs(_BACKWARDS),
    "agstate.dedupe": _key_beliefs(_BACKWARDS, _SET_ORDER, _UNHASHABLE, _FALSY, _DEDUPE_INSIDE, _ONLY_APPENDS),
    "agstate.maximum": _key_beliefs(_ZERO_START, _FALSY_OLD),
    "agstate.window": _key_beliefs(_BACKWARDS, _MINUS_ZERO, _NEGATIVE_START, _FROZEN, _FRONT, _NEW_ONLY, _TRIM),
    "agstate.budget": _key_beliefs(_FLOAT_SUM),
    "agstate.schemas": (_BUILTIN, _SIGNATURE, *SCHEMAS),
    "agstate.growth": GROWTH,
    "agstate.pointer": POINTER,
    "agstate.decisions": (_BUILTIN, _SIGNATURE, *DECISIONS),
}
