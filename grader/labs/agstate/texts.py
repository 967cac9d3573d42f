"""What lab 1 says to a learner: titles, hints, what to notice, and the questions asked before a run. Plain data."""

from __future__ import annotations

from typing import Any

TITLES: dict[str, str] = {
    "agstate.overwrite": "shows the bug: a list that keeps its last write only",
    "agstate.append": "keeps every node's write",
    "agstate.dedupe": "keeps each source once, in the order first seen",
    "agstate.maximum": "keeps the best score, also when all are negative",
    "agstate.window": "keeps the last few notes",
    "agstate.budget": "adds up what every node spent",
    "agstate.schemas": "lets in and out only what is meant to pass",
    "agstate.growth": "weighs the saved state at every checkpoint",
    "agstate.pointer": "keeps a long text outside the state",
    "agstate.decisions": "says the rule of each key, and why",
}

HINTS: dict[str, tuple[str, str, str, str]] = {
    "agstate.overwrite": (
        "Three colleagues share one whiteboard. Each is told: when it is your turn, the board shows what you write. "
        "Nobody said what happens to the words that are on it. What will the last visitor leave behind? Your chain "
        "should show exactly that, for one node as well as for six. Nothing has to be repaired in this step.",
        "Two places in `agstate/state.py`. `BareState` gets one key with a type and nothing else. `run_bare` needs "
        "`StateGraph(BareState)`, then `add_node` once per name and `add_edge` from `START` along the row to `END`. "
        "`compile()` gives the app, and `app.invoke({})` gives a dict with the final values. The answer is the value "
        "of one of its keys.",
        "The same thing for a weather station with one reading per mast:\n\n"
        "def mast(name):\n"
        "    return lambda state: {'reading': [name]}\n\n"
        "graph = StateGraph(Station)\n"
        "for name in masts:\n"
        "    graph.add_node(name, mast(name))\n"
        "for before, after in zip([START, *masts], [*masts, END]):\n"
        "    graph.add_edge(before, after)\n\n"
        "The two lists in `zip` are one row, shifted by one place: each pair is one arrow. `mast` is a function of "
        "its own, so that each node remembers its own name and not the last name of the loop.",
        "In `BareState`: one line that says `trace` is a `list`. In `run_bare`: make a `StateGraph` over `BareState`. "
        "For each name add a node that returns a dict with the key `trace` and a list that holds this name. Add one "
        "edge from `START` to the first name, one between each pair of neighbours, one from the last name to `END`. "
        "Compile, invoke with an empty dict, return what stands under `trace`. "
        'compare("agstate.overwrite") shows how the solution differs from your file.',
    ),
    "agstate.append": (
        "The key `trace` needs to know one thing more than its type. When a value is there and a node returns another "
        "one, what should be there afterwards? Say it as a sentence first: old, then new. Then ask who should know "
        "that sentence: every single node, or the key itself?",
        "The rule belongs to the key, in `State`: `Annotated[type, reducer]`, with `Annotated` from `typing`. A "
        "reducer takes the old and the new value and gives the merged one. For two lists, Python already has such a "
        "function: `add` in the module `operator`. The reducer has to be the last thing inside `Annotated`, and "
        "`Annotated` has to be the outermost thing.",
        "A shopping basket that several people fill at once:\n\n"
        "from operator import add\n"
        "from typing import Annotated, TypedDict\n\n"
        "class Basket(TypedDict, total=False):\n"
        "    items: Annotated[list, add]\n"
        "    owner: str\n\n"
        "Whoever returns {'items': ['milk']} adds milk. The basket keeps what is in it. `owner` has no rule, so a new "
        "owner replaces the old one. Nobody returns the whole basket: that would put everything in twice.",
        "Two imports: `add` from `operator`, and `Annotated` beside `TypedDict` from `typing`. Then one line in "
        "`State`: the key `trace`, a colon, and `Annotated` with two things in square brackets: `list` first, `add` "
        "second. `BareState` stays as it is; it is the picture of the accident. Save the file and check. "
        'compare("agstate.append") shows how the solution differs from your file.',
    ),
    "agstate.dedupe": (
        "Imagine two piles of cards. The left pile is in order and has no doubles. You take the cards of the right "
        "pile one by one. For each card: what question do you ask before you lay it down, and where do you lay it? "
        "And which pile may you write on: the left one that others still look at, or a new one?",
        "`merge_sources(old, new)` is an ordinary function: test it by hand, without any graph. Start from a copy, "
        "`list(old or [])`, so that `None` counts as empty and `old` stays unchanged. Ask with `in`, which compares "
        "by equality and also works for dicts and lists. A `set` fails there: it forgets the order, and it refuses "
        "dicts. Then use it in `State`: `Annotated[list, merge_sources]`.",
        "Guests on a list, each one once, in order of arrival:\n\n"
        "def welcome(inside, arriving):\n"
        "    guests = list(inside or [])\n"
        "    for guest in arriving or []:\n"
        "        if guest not in guests:\n"
        "            guests.append(guest)\n"
        "    return guests\n\n"
        "Look at what is asked: is this guest in the list that grows? So a guest who arrives twice at the same moment "
        "is found as well. And the question is about presence, never about whether a guest is empty or zero.",
        "Write the body of `merge_sources`: make a new list from `old`, or an empty one if `old` is None. Go through "
        "`new`, or through nothing if it is None. Append an item only if it is not in the new list yet. Return the new "
        "list. Then add one line to `State`: `sources`, `Annotated`, with `list` and `merge_sources`. The function has "
        'to stand above the class. compare("agstate.dedupe") shows how the solution differs from your file.',
    ),
    "agstate.maximum": (
        "Last night's drafts scored -0.8, -0.3 and -0.6. Which one was best? Now think of a scoreboard that shows 0 "
        "before the first draft is scored. What will it show in the morning? What should the board show while there "
        "is no score at all, and is 0 the same as that?",
        'Two things, both about "nothing". First: `keep_max(old, new)` has to be a function of your own, because '
        "LangGraph refuses the builtin `max` as a reducer. It may meet `None` on either side. Second: the type in "
        "`Annotated` decides what the channel holds before the first write. `float` gives 0.0; `float | None` gives "
        "nothing, and the first value is stored as it is.",
        "The lowest price seen so far, where 0 would be a wonderful and wrong price:\n\n"
        "def keep_lowest(old, new):\n"
        "    if old is None:\n"
        "        return new\n"
        "    if new is None:\n"
        "        return old\n"
        "    return min(old, new)\n\n"
        "class Market(TypedDict, total=False):\n"
        "    price: Annotated[float | None, keep_lowest]\n\n"
        "`is None` matters: a test such as `if not old` would take a price of 0 for no price.",
        "In `keep_max`: if `old` is None, give `new`. If `new` is None, give `old`. Otherwise give the larger one; "
        "inside your own function `max` is fine. Two None give None without a line of their own. In `State`: "
        "`best_score`, `Annotated`, with `float | None` first and `keep_max` second. Check that you did not write "
        'plain `float`. compare("agstate.maximum") shows how the solution differs from your file.',
    ),
    "agstate.window": (
        "A shelf has room for three books. You push in four new ones at the right end. Which books are still on the "
        "shelf, and which end do you look at to find out? Now the shelf has room for no book at all. Does your rule "
        "still give the right answer, or does it suddenly keep everything?",
        "`keep_recent(old, new)` joins both lists and keeps the tail. `items[-WINDOW:]` is nearly right: when `WINDOW` "
        "is 0, it is `items[0:]`, the whole list. Count from the front: `len(items) - WINDOW`, but never below 0. "
        "Read `WINDOW` inside the function. A default argument is worked out once, at import, and the grader changes "
        "`WINDOW` after that.",
        "A thermometer that remembers the last `DEPTH` readings:\n\n"
        "DEPTH = 5\n\n"
        "def latest(old, new):\n"
        "    readings = [*(old or []), *(new or [])]\n"
        "    start = max(len(readings) - DEPTH, 0)\n"
        "    return readings[start:]\n\n"
        "With 7 readings it starts at 2. With 3 readings 3 - 5 would be -2, so `max` makes it 0. With DEPTH = 0 it "
        "starts behind the last reading and gives an empty list.",
        "In `keep_recent`: join `old` and `new` into a new list, with an empty list for None. Work out the start: the "
        "length minus `WINDOW`, at least 0. Return the slice from there to the end. In `State`: `notes`, `Annotated`, "
        "with `list` and `keep_recent`. No node has to cut anything: the cap lives in the reducer. "
        'compare("agstate.window") shows how the solution differs from your file.',
    ),
    "agstate.budget": (
        "Four people put money into one box. Each of them knows what he or she puts in. Does anyone need to open the "
        "box and count first? And if all four put in their coins at the same moment, what rule makes the total right? "
        'Now read "money" as model calls.',
        "One line in `State`: the key `used_calls`, a whole number, with a reducer. You know the reducer already: "
        "`add` of `operator` joins lists, and it adds numbers. The channel of an `int` starts at 0, and for a sum "
        "that is the right start. A node returns its own increment only, never the new total.",
        "Rain measured by several gauges in one hour:\n\n"
        "class Hour(TypedDict, total=False):\n"
        "    rain: Annotated[int, add]\n\n"
        "def north(state):\n"
        "    return {'rain': 2}\n\n"
        "def south(state):\n"
        "    return {'rain': 5}\n\n"
        "Both run in one superstep, and `rain` is 7 afterwards. If south returned state['rain'] + 5, it would add the "
        "rain that is already in the glass once more.",
        "Add one line to `State`: the key `used_calls`, a colon, `Annotated` with `int` first and `add` second. `add` "
        "is imported since step 2. There is no function to write: `operator.add` is right as it is, because no node "
        'sends None here. Save and check. compare("agstate.budget") shows how the solution differs from your file.',
    ),
    "agstate.schemas": (
        "A restaurant has a kitchen, a door for guests, and a hatch where the plates come out. Who may see the whole "
        "kitchen? What may a guest hand in at the door? What comes out of the hatch? You need three descriptions, and "
        "only one of them is about everything. Which keys belong to each?",
        "`InputState` and `OutputState` are two more `TypedDict` classes with two keys each. `StateGraph` takes them "
        "by name: `StateGraph(State, input_schema=..., output_schema=...)`. Neither should inherit from `State`, or "
        "all its keys come along. `build` is the chain of step 1 with given node functions: a dict keeps its order, "
        "so `nodes.items()` is the order of the run. Hand `checkpointer` to `compile`.",
        "A bakery that takes an order and gives bread, and keeps its recipe:\n\n"
        "class Bakery(TypedDict, total=False):\n"
        "    order: str\n"
        "    recipe: str\n"
        "    bread: str\n\n"
        "class Order(TypedDict, total=False):\n"
        "    order: str\n\n"
        "class Bread(TypedDict, total=False):\n"
        "    bread: str\n\n"
        "graph = StateGraph(Bakery, input_schema=Order, output_schema=Bread)\n"
        "app = graph.compile(checkpointer=saver)\n\n"
        "The bakers read and write `recipe`. A guest can neither send nor get it.",
        "First the rest of `State`: `question`, `doc_ref`, `answer`, `memo`, each a plain `str`. `InputState`: "
        "`question` and `doc_ref`. `OutputState`: `answer` and `sources` (a plain `list` will do: `State` has the "
        "rule). `build`: a `StateGraph` with `State` and both schemas; `add_node(name, node)` for each pair of the "
        "mapping; edges from `START` along the names to `END`; return `compile(checkpointer=checkpointer)`. "
        'compare("agstate.schemas") shows how the solution differs from your file.',
    ),
    "agstate.growth": (
        "After each superstep the saver takes a photo of the state. You are asked for the weight of every photo, the "
        "first one first. Where is the album? In which order does it show its pictures? And which scales give the "
        "weight that really counts: the length of what Python prints, or the length of the bytes that are saved?",
        "`app.get_state_history(config)` gives one snapshot per checkpoint, the newest first. Each has `.values`, a "
        "dict. The scales are `app.checkpointer.serde`: `dumps_typed(values)` gives a pair, the name of the format "
        "and the bytes. You need the length of the bytes. Then turn the order round. For a thread that never ran, the "
        "history is empty and so is your list.",
        "Letters on a pile, the latest on top; their postage, first letter first:\n\n"
        "postage = []\n"
        "for letter in pile:\n"
        "    kind, sealed = office.seal(letter.content)\n"
        "    postage.append(len(sealed))\n"
        "postage.reverse()\n\n"
        "Two things to see here. `seal` gives two things, and only the second one has the weight. And the pile is "
        "read from the top, so the list has to be turned at the end. An empty pile gives an empty list.",
        "Start with an empty list. Go through `app.get_state_history(config)`. For each snapshot call "
        "`app.checkpointer.serde.dumps_typed` with `snapshot.values`, take the second part of what comes back, and "
        "append its `len`. Reverse the list and return it. Nothing is printed, and the app is not run. "
        'compare("agstate.growth") shows how the solution differs from your file.',
    ),
    "agstate.pointer": (
        "A library does not copy a book into every reader's card. What stands on the card instead? And if the same "
        "book is handed in twice, how could the library see that it has it already, without asking anybody for a "
        "number? Now let the book be a long text, and let the card be the state.",
        '`hashlib.sha256(text.encode("utf-8")).hexdigest()` gives 64 letters and digits that depend on the text '
        "alone. Use it as the key in `store`, and as `doc_ref` in the input. `store` is a mapping: `store[key] = "
        "text`. Fill it before `app.invoke`, because the nodes look into it while they run. What you send is what the "
        "saver keeps, so send `question` and `doc_ref` and nothing else.",
        "A cloakroom with tickets made from the coat itself:\n\n"
        "def check_in(desk, rail, guest, coat):\n"
        "    ticket = fingerprint(coat)\n"
        "    rail[ticket] = coat\n"
        "    return desk.serve({'guest': guest, 'ticket': ticket})\n\n"
        "The coat hangs on the rail; the desk sees the ticket only. The same coat twice has the same fingerprint, so "
        "the rail holds it once. And the coat hangs there before the desk starts to work.",
        "Import `sha256` from `hashlib`. In `submit`: work out the hex digest of the text's UTF-8 bytes. Put the text "
        "into `store` under this digest. Call `app.invoke` with a dict of two keys, `question` and `doc_ref`, and "
        "with `config` as second argument. Return what it returns. The text is in no key, not even for a moment. "
        'compare("agstate.pointer") shows how the solution differs from your file.',
    ),
    "agstate.decisions": (
        'A new colleague opens your file next year and wants to "tidy up" a reducer. What sentence beside the key '
        "would stop a harmful change? Ask for each key: what would go wrong for the customer, for the budget or for "
        "the log, if another rule stood here? That is your reason.",
        "`DECISIONS` is a dict. Its keys are the nine keys of `State`, spelled the same. Each value is a pair: a rule "
        "and a reason. The rule is one of the words `overwrite`, `append`, `dedupe`, `max`, `window`, `sum`, and it "
        "has to be what the key really does. The reason is a sentence of your own, at least 15 characters, and no two "
        "are equal.",
        "For a shared shopping basket it could read:\n\n"
        "DECISIONS = {\n"
        "    'items': ('append', 'Everybody adds; nothing that one person wants may vanish.'),\n"
        "    'owner': ('overwrite', 'A basket has one owner at a time, the latest one.'),\n"
        "    'cheapest': ('min', 'We only go to another shop if it is cheaper.'),\n"
        "}\n\n"
        'Each reason says what the key is for. "Because it is a list" would fit every list, so it is no reason.',
        "Write nine entries. `question`, `doc_ref`, `answer` and `memo` have the rule `overwrite`. `trace` has "
        "`append`, `sources` has `dedupe`, `best_score` has `max`, `notes` has `window`, `used_calls` has `sum`. "
        "Beside each rule put one sentence: what does this key serve, and what would another rule break? Keep the "
        'nine sentences different. compare("agstate.decisions") shows how the solution differs from your file.',
    ),
}

NOTICED: dict[str, str] = {
    "agstate.overwrite": "Now notice: a key without a rule keeps the last write, whatever its type; "
    "a list is no exception, and nothing warns you.",
    "agstate.append": "Now notice: the rule stands beside the key, and no node had to change; "
    "merging is a property of the state and not of its writers.",
    "agstate.dedupe": "Now notice: a reducer is an ordinary function of two values; "
    "it can be tested without a graph, and it must leave both of them as they were.",
    "agstate.maximum": "Now notice: the type of a key decides what it holds before the first write, "
    'and "nothing yet" is a value that you have to choose.',
    "agstate.window": "Now notice: a cap that lives in the reducer holds for every writer, also for the one that "
    "somebody adds next year.",
    "agstate.budget": "Now notice: a node that returns only its own share needs to know nobody else, "
    "so it counts right in a row and side by side.",
    "agstate.schemas": "Now notice: schemas are doors and not walls; they filter what goes in and what `invoke` gives, "
    "while checkpoints and streams carry everything.",
    "agstate.growth": "Now notice: the size of the state and the size of the store are two questions; "
    "the saver stores a key again whenever it is written, and an untouched key once.",
    "agstate.pointer": "Now notice: what was in the state once stays in the history; "
    "a large or secret thing is safe from that only if it never goes in.",
    "agstate.decisions": "Now notice: you can name the rule of each key and its reason; "
    "that is the whole design of a state, and it fits on one screen.",
}


# ---------------------------------------------------------------- what people believe before a run


def _all_in_order(inputs: Any) -> Any:
    return [*inputs["start"], *inputs["names"]]


def _start_and_last(inputs: Any) -> Any:
    return [*inputs["start"], inputs["names"][-1]]


def _last_of_pair(inputs: Any) -> Any:
    return inputs["pair"][-1]


def _declared_order(inputs: Any) -> Any:
    return [*inputs["start"], *inputs["pair"], inputs["join"]]


def _one_of_the_pair(inputs: Any) -> Any:
    return [*inputs["start"], inputs["pair"][-1], inputs["join"]]


def _join_twice(inputs: Any) -> Any:
    return [*inputs["start"], *sorted(inputs["pair"]), inputs["join"], inputs["join"]]


def _old_and_all_new(inputs: Any) -> Any:
    return [*inputs["old"], *inputs["new"]]


def _sorted_set(inputs: Any) -> Any:
    return sorted({*inputs["old"], *inputs["new"]})


def _last_seen(inputs: Any) -> Any:
    return list(dict.fromkeys([*inputs["old"], *inputs["new"]][::-1]))[::-1]


def _best_of_all(inputs: Any) -> Any:
    return max(inputs["scores"])


def _last_score(inputs: Any) -> Any:
    return inputs["scores"][-1]


def _as_many_as_the_window(inputs: Any) -> Any:
    return inputs["window"]


def _one_note(inputs: Any) -> Any:
    return 1


def _one_of_the_workers(inputs: Any) -> Any:
    return inputs["before"] + max(inputs["side by side"]) + inputs["after"]


def _last_cost(inputs: Any) -> Any:
    return inputs["after"]


def _one_a_node(inputs: Any) -> Any:
    return inputs["nodes"]


def _gone_everywhere(inputs: Any) -> Any:
    return dict.fromkeys(("invoke", "get_state", "history", "stream"), "gone")


def _only_saved(inputs: Any) -> Any:
    return {"invoke": "gone", "get_state": "there", "history": "there", "stream": "gone"}


def _there_everywhere(inputs: Any) -> Any:
    return dict.fromkeys(("invoke", "get_state", "history", "stream"), "there")


def _what_was_sent(inputs: Any) -> Any:
    return inputs["memo"]


def _window_grows(inputs: Any) -> Any:
    return {"appending": "straight", "windowed": "straight", "document": "flat"}


def _state_is_history(inputs: Any) -> Any:
    return {"appending": "square", "windowed": "straight", "document": "straight"}


def _only_newest_kept(inputs: Any) -> Any:
    return {"appending": "straight", "windowed": "flat", "untouched": "flat", "echoed": "flat"}


def _only_changes_kept(inputs: Any) -> Any:
    return {"appending": "straight", "windowed": "straight", "untouched": "flat", "echoed": "flat"}


def _full_copies(inputs: Any) -> Any:
    return {"appending": "square", "windowed": "straight", "untouched": "straight", "echoed": "straight"}


def _wiped(inputs: Any) -> Any:
    return {"get_state": "gone", "history": "gone", "saver": "gone"}


def _only_in_the_depths(inputs: Any) -> Any:
    return {"get_state": "gone", "history": "gone", "saver": "there"}


def _clean_start(inputs: Any) -> Any:
    return {"answer": "nothing", "used_calls": 0}


def _plain_keys_forget(inputs: Any) -> Any:
    return {"answer": "nothing", "used_calls": inputs["cost"]}


PREDICTIONS: list[dict[str, Any]] = [
    {
        "id": "agstate.p1",
        "question": "Three nodes run one after the other: receive, search, answer. Each returns a list with its own "
        "name under `trace`, a plain list key. The run starts with trace = ['opened']. What is `trace` at "
        "the end? Answer with a list of words.",
        "act": "chain_without_a_reducer",
        "inputs": {"names": ["receive", "search", "answer"], "start": ["opened"]},
        "noticed": "Without a rule, each write replaces what was there: one entry is left, the last one.",
        "beliefs": [
            {
                "name": "a list collects by itself",
                "answer": _all_in_order,
                "instead": "The type says what a value looks like. It does not say how two values combine, so the "
                "newer one replaces the older one.",
            },
            {
                "name": "what the caller sent stays",
                "answer": _start_and_last,
                "instead": "The caller's value is a first write like any other. The next write replaces it.",
            },
        ],
    },
    {
        "id": "agstate.p2",
        "question": "Now search and history run side by side, in one superstep. Both return a list under the plain key "
        "`trace`. What does the run give: 'search', 'history', 'both', or 'error'? Answer with one word.",
        "act": "pair_without_a_reducer",
        "inputs": {"pair": ["history", "search"], "join": "answer", "start": ["opened"]},
        "noticed": "Two writes to a key without a rule in one superstep are an error: there is no last one to keep.",
        "beliefs": [
            {
                "name": "the last writer wins, in parallel too",
                "answer": _last_of_pair,
                "instead": "Inside one superstep no write is later than another. LangGraph does not guess: it raises "
                "InvalidUpdateError.",
            },
            {
                "name": "parallel writes are merged by themselves",
                "answer": lambda inputs: "both",
                "instead": "They are merged only if the key says how. Without a reducer the run stops with "
                "InvalidUpdateError.",
            },
        ],
    },
    {
        "id": "agstate.p3",
        "question": "The same graph, and `trace` has the reducer `add`. The nodes were added in this order: search, "
        "history, answer. search and history run side by side, answer waits for both. The run starts with "
        "trace = ['opened']. What is `trace` at the end? Answer with a list of words.",
        "act": "pair_with_add",
        "inputs": {"pair": ["search", "history"], "join": "answer", "start": ["opened"]},
        "noticed": "Both writes are kept. Inside one superstep they are merged in the order of the node names, not in "
        "the order of adding or of finishing.",
        "beliefs": [
            {
                "name": "writes are merged in the order of the nodes' declaration",
                "answer": _declared_order,
                "instead": "The writes of one superstep are put in the order of the node names: history comes before "
                "search.",
            },
            {
                "name": "the last writer wins, in parallel too",
                "answer": _one_of_the_pair,
                "instead": "The reducer is called once for each write, so both are kept.",
            },
            {
                "name": "a join runs once for each arrow",
                "answer": _join_twice,
                "instead": "One edge from the list of both nodes waits for both and starts the join once.",
            },
        ],
    },
    {
        "id": "agstate.p4",
        "question": "`sources` keeps each source once, in the order first seen. It holds ['faq', 'mail']. A node "
        "returns ['terms', 'mail', 'blog', 'terms']. What is `sources` then? Answer with a list of words.",
        "act": "dedupe_two_writes",
        "inputs": {"old": ["faq", "mail"], "new": ["terms", "mail", "blog", "terms"]},
        "noticed": "What is there keeps its place; only what is new goes to the end, and only once.",
        "beliefs": [
            {
                "name": "doubles are looked for between old and new only",
                "answer": lambda inputs: [*inputs["old"], *(s for s in inputs["new"] if s not in inputs["old"])],
                "instead": "A source can also be twice inside the new list. Each one is compared with all that is "
                "kept so far.",
            },
            {
                "name": "the newest place counts",
                "answer": _last_seen,
                "instead": "First seen means: a source that comes again stays where it is.",
            },
            {
                "name": "the result is sorted",
                "answer": _sorted_set,
                "instead": "The rule has nothing to do with the alphabet. Items keep the order in which they came.",
            },
            {
                "name": "a list only grows",
                "answer": _old_and_all_new,
                "instead": "That is the rule append. Dedupe looks first whether the source is there.",
            },
        ],
    },
    {
        "id": "agstate.p5",
        "question": "Somebody writes best_score: Annotated[float, max], with Python's builtin max. When does it fail: "
        "'built' (when the graph is made), 'run' (when it runs), or 'never'? Answer with one word.",
        "act": "builtin_max_as_reducer",
        "inputs": {"score": 0.7},
        "noticed": "LangGraph reads a reducer's signature when the graph is made. The builtin max has none to read.",
        "beliefs": [
            {
                "name": "any function of two values is a reducer",
                "answer": lambda inputs: "never",
                "instead": "LangGraph wants to see two arguments in the signature. For the builtin max Python shows no "
                "signature, so StateGraph(State) raises ValueError.",
            },
            {
                "name": "a reducer is looked at when it is first used",
                "answer": lambda inputs: "run",
                "instead": "It is looked at earlier: StateGraph(State) already raises ValueError.",
            },
        ],
    },
    {
        "id": "agstate.p6",
        "question": "best_score is Annotated[float, larger], where larger is a right function of two numbers. Three "
        "drafts score -0.8, -0.3 and -0.6, one superstep each. Nothing is sent for best_score. What is "
        "best_score at the end? Answer with a number.",
        "act": "scores_on_a_float_channel",
        "inputs": {"scores": [-0.8, -0.3, -0.6]},
        "noticed": "A channel of the type float holds 0.0 before the first write, and 0.0 beats every negative score.",
        "beliefs": [
            {
                "name": "the first write meets nothing",
                "answer": _best_of_all,
                "instead": "With the type float the channel starts at 0.0, and the reducer compares the first score "
                "with it.",
            },
            {
                "name": "the last write stays",
                "answer": _last_score,
                "instead": "There is a reducer, so each score is compared with what is there. But 0.0 was there first.",
            },
        ],
    },
    {
        "id": "agstate.p7",
        "question": "A reducer returns (old + new)[-WINDOW:]. WINDOW is 0, which should keep nothing. Three nodes "
        "write one note each, one after the other. How many notes are there at the end? Answer with a "
        "number.",
        "act": "window_by_negative_slice",
        "inputs": {"notes": ["n1", "n2", "n3"], "window": 0},
        "noticed": "-0 is 0, so [-0:] is the whole list: the smallest window keeps everything.",
        "beliefs": [
            {
                "name": "[-n:] gives n items for each n",
                "answer": _as_many_as_the_window,
                "instead": "For n = 0 the slice starts at 0, at the front, and gives the whole list.",
            },
            {
                "name": "the window looks at the new note only",
                "answer": _one_note,
                "instead": "The slice is taken of old and new together, and with -0 it is all of it.",
            },
        ],
    },
    {
        "id": "agstate.p8",
        "question": "`used_calls` has the reducer add. plan returns 1. Then three workers run side by side and return "
        "2, 3 and 2. Then answer returns 1. What is `used_calls` at the end? Answer with a number.",
        "act": "costs_side_by_side",
        "inputs": {"before": 1, "side by side": [2, 3, 2], "after": 1},
        "noticed": "Each write is added, in a row and side by side: no write of a superstep is lost.",
        "beliefs": [
            {
                "name": "one superstep, one write",
                "answer": _one_of_the_workers,
                "instead": "The reducer is called for each write of the superstep, so all three workers count.",
            },
            {
                "name": "the last write stays",
                "answer": _last_cost,
                "instead": "With the reducer add, each write is added to what is there.",
            },
        ],
    },
    {
        "id": "agstate.p9",
        "question": "The same key, four nodes in a row. Each is careful, reads the total and returns it plus one: "
        "{'used_calls': state['used_calls'] + 1}. What is `used_calls` at the end? Answer with a number.",
        "act": "totals_under_add",
        "inputs": {"nodes": 4},
        "noticed": "Under add a node's return is put on top: who returns the total counts everything once more.",
        "beliefs": [
            {
                "name": "a node returns the new value of the key",
                "answer": _one_a_node,
                "instead": "A node returns a write, and the reducer adds it to what is there: 1, then 1+2, then 3+4, "
                "then 7+8.",
            },
            {
                "name": "the count doubles at every node",
                "answer": lambda inputs: 2 ** (inputs["nodes"] - 1),
                "instead": "It doubles and then gets one more, at every node: 1, 3, 7, 15.",
            },
        ],
    },
    {
        "id": "agstate.p10",
        "question": "The output schema names `answer` only. A node writes a memo. Where can the memo still be seen? "
        "Answer with a dict that says 'there' or 'gone' for 'invoke', 'get_state', 'history' and 'stream' "
        "(with stream_mode='values').",
        "act": "where_a_memo_shows",
        "inputs": {"memo": "offer no discount"},
        "noticed": "The output schema filters the result of invoke. The saved state, its history and the stream carry "
        "all keys.",
        "beliefs": [
            {
                "name": "a key outside the output schema is private",
                "answer": _gone_everywhere,
                "instead": "Only the result of invoke is filtered. Everything else shows the whole state.",
            },
            {
                "name": "streams are filtered like invoke",
                "answer": _only_saved,
                "instead": "The stream of values carries all keys of the state, the memo as well.",
            },
            {
                "name": "the output schema is only a description",
                "answer": _there_everywhere,
                "instead": "It does filter one thing: the result of invoke.",
            },
        ],
    },
    {
        "id": "agstate.p11",
        "question": "The input schema names `question` only. A caller sends {'question': '?', 'memo': 'vip'}. What "
        "does the first node find under `memo`? Answer with one word: 'vip', 'nothing' or 'error'.",
        "act": "what_a_caller_smuggles",
        "inputs": {"memo": "vip"},
        "noticed": "What a caller sends under a key outside the input schema reaches no node, and no error says so.",
        "beliefs": [
            {
                "name": "what the state knows, a caller may send",
                "answer": _what_was_sent,
                "instead": "With an input schema only its keys are taken from the input.",
            },
            {
                "name": "an unknown key is refused",
                "answer": lambda inputs: "error",
                "instead": "It is dropped in silence, and the run goes on.",
            },
        ],
    },
    {
        "id": "agstate.p12",
        "question": "The size of the newest saved state, over the number of steps. An appending list and a windowed "
        "list (last 3) get 1 kB a step; a 100 kB document is sent at the start and never written again. "
        "How does each size go: 'flat', 'straight' (grows evenly) or 'square' (grows faster and faster)? "
        "Once the window is full, that is. Answer with a dict for 'appending', 'windowed' and 'document'.",
        "act": "shapes_of_the_newest_state",
        "inputs": {"steps": 12, "line": 1000, "document": 100000, "window": 3},
        "noticed": "One saved state holds each key once: a list that appends grows evenly, the other two stay flat.",
        "beliefs": [
            {
                "name": "a windowed key still grows a little",
                "answer": _window_grows,
                "instead": "Once the window is full, as much leaves as comes in.",
            },
            {
                "name": "a state carries its own history",
                "answer": _state_is_history,
                "instead": "One saved state has the values of one moment. The history is a row of such states.",
            },
        ],
    },
    {
        "id": "agstate.p13",
        "question": "Now everything that the in-memory saver holds, for the same keys, and for a document that a node "
        "returns unchanged at every step. How does each total go: 'flat' (less than a tenth more), "
        "'straight' or 'square'? Answer with a dict for 'appending', 'windowed', 'untouched' and "
        "'echoed'.",
        "act": "shapes_of_the_whole_store",
        "inputs": {"steps": 12, "line": 1000, "document": 100000, "window": 3},
        "noticed": "The saver stores a key in full whenever it is written. Only a key that nobody writes costs "
        "nothing more.",
        "beliefs": [
            {
                "name": "only the newest state is kept",
                "answer": _only_newest_kept,
                "instead": "All checkpoints of the thread are kept, and each of them keeps the values that were "
                "written then.",
            },
            {
                "name": "only what changed is kept",
                "answer": _only_changes_kept,
                "instead": "A key that is written is stored in full, also if the value is equal or only a little "
                "longer.",
            },
            {
                "name": "every checkpoint is a full copy",
                "answer": _full_copies,
                "instead": "In this saver, a key that was not written is not stored again.",
            },
        ],
    },
    {
        "id": "agstate.p14",
        "question": "A node puts a long text into `memo`. The next node uses it and returns {'memo': ''} to clean up. "
        "Where can the text still be found? Answer with a dict that says 'there' or 'gone' for "
        "'get_state' (the newest state), 'history' (all states of the thread) and 'saver' (its raw "
        "bytes).",
        "act": "where_a_wiped_text_lies",
        "inputs": {"text": "the whole contract, page after page"},
        "noticed": "Overwriting changes the newest state. The checkpoint before it still holds the text.",
        "beliefs": [
            {
                "name": "overwriting deletes",
                "answer": _wiped,
                "instead": "The newest state has the empty memo. The state of the step before was saved, with the "
                "text.",
            },
            {
                "name": "the history shows the newest values",
                "answer": _only_in_the_depths,
                "instead": "Each state of the history shows the values of its own moment, so one of them shows the "
                "text.",
            },
        ],
    },
    {
        "id": "agstate.p15",
        "question": "One thread, two questions. In the first run a node writes answer = 'on Tuesday' and used_calls = "
        "2 (reducer add). The second run sends a new question only. What does its first node find? Answer "
        "with a dict for 'answer' (the word(s), or 'nothing') and 'used_calls' (a number).",
        "act": "what_a_second_run_finds",
        "inputs": {"answer": "on Tuesday", "cost": 2},
        "noticed": "A thread goes on with what the last run left, in plain keys as in keys with a reducer.",
        "beliefs": [
            {
                "name": "every invoke starts clean",
                "answer": _clean_start,
                "instead": "On one thread the second run starts from the saved state of the first.",
            },
            {
                "name": "only keys with a reducer last",
                "answer": _plain_keys_forget,
                "instead": "A plain key lasts as well, until somebody writes it.",
            },
        ],
    },
]
