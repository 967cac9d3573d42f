"""What lab 2 says to a learner: titles, hints, what to notice, and the questions asked before a run."""

from __future__ import annotations

from typing import Any

TITLES: dict[str, str] = {
    "aghitl.threshold": "says in one place who decides",
    "aghitl.branch": "pays small cases and lets large ones reach no payment by themselves",
    "aghitl.silent": "shows the accident, and tells it from success",
    "aghitl.stop": "makes a large case wait, with nothing paid",
    "aghitl.resume": "pays an approved case once",
    "aghitl.edit": "pays another amount when a person says so",
    "aghitl.hold": "leaves a case in a person's hands until the end",
    "aghitl.reject": "ends a rejected case as an outcome, with nothing paid",
    "aghitl.inline": "asks inside a node, and takes only answers that say something",
    "aghitl.count": "counts how often a node that asks is entered",
    "aghitl.record": "writes down what was asked for and what was done",
    "aghitl.restart": "finishes a case in another process than it began in",
}

HINTS: dict[str, tuple[str, str, str, str]] = {
    "aghitl.threshold": (
        "Three refunds lie on the desk: one of exactly the limit, one of one unit more, one of one unit less. Say for "
        "each of them who decides. Then the boss changes the limit at noon. What has to happen to the next case, and "
        "where in your code does that number stand?",
        "`Refund` needs its seven keys; `trace` has the reducer `add`, the others have none. Then one function, "
        "`needs_approval`. It gets the case as a dict and looks at two things: "
        "what was `requested`, and the module's `THRESHOLD`. Above means above: at exactly the limit nobody is needed. "
        "Read `THRESHOLD` inside the function, so that it is looked up each time the function runs.",
        "A lift that carries a certain weight:\n\n"
        "LIMIT = 400\n\n"
        "def too_heavy(load):\n"
        "    return load['kilos'] > LIMIT\n\n"
        "Whoever changes LIMIT changes the answer at once, because the name is looked up when the function runs. A "
        "default argument `limit=LIMIT` would have kept the old number for ever.",
        "Return one comparison: the value under `requested` is greater than `THRESHOLD`. Nothing else belongs into "
        "this function. It does not look at `amount`: that is what will be paid, and a person may change it later, "
        "while what was asked for stays what it was. "
        'compare("aghitl.threshold") shows how the solution differs from your file.',
    ),
    "aghitl.branch": (
        "Draw the way of a small case and the way of a large one on paper. Both begin at the same desk. At which node "
        "do they part, who decides which way, and which of the two ways must never be walked without a person? Now "
        "write the names of the nodes on your drawing.",
        "The way is wired in `build`, and the gate is no node: add the "
        "nodes `assess`, `settle` and `auto_settle`, an edge from `START` to `assess`, and `add_conditional_edges` "
        "behind it with a function that asks `needs_approval`. The gate is given to `compile`: "
        "`interrupt_before=['settle']`.",
        "A post office sorts parcels at one counter:\n\n"
        "graph.add_node('weigh', weigh)\n"
        "graph.add_node('letterbox', letterbox)\n"
        "graph.add_node('customs', customs)\n"
        "graph.add_edge(START, 'weigh')\n"
        "graph.add_conditional_edges('weigh', lambda parcel: 'customs' if abroad(parcel) else 'letterbox', ['customs', "
        "'letterbox'])\n\n"
        "Each parcel goes one of two ways, and the function behind the counter says which one.",
        "`assess` writes what a fresh case looks like: `amount` is what was requested, `decision` is empty, `paid` is 0, "
        "and its own name goes into `trace`. `auto_settle` calls `pay` with the case's id and amount, writes decision "
        "`auto`, what was paid, and its name. `settle` does the same for a case that somebody approved. Each node "
        'writes its own name into `trace`. compare("aghitl.branch") shows the difference.',
    ),
    "aghitl.silent": (
        "The run came back, nothing was raised, no money left. What did it come back with? Look at the values of a small "
        "case and of a large one, side by side, as the caller got them. Which key would tell you that the case was "
        "really brought to its end?",
        "`build_silent` is the same graph, compiled with the gate and without a checkpointer. `outcome` gets the app, a "
        "config and the last result. `app.checkpointer` says whether there is a memory. If there is, "
        "`app.get_state(config)` knows: `.next` names what waits, and `.tasks` hold open questions. If there is none, "
        "only the result can tell.",
        "A parcel service that is asked where a parcel is:\n\n"
        "def where(book, number, slip):\n"
        "    if book is None:\n"
        "        return 'delivered' if slip and slip.get('signed') else 'lost'\n"
        "    line = book.get(number)\n"
        "    return 'under way' if line.stops_left else 'delivered' if line.signed else 'lost'\n\n"
        "Without a book, only the signature on the slip is a proof.",
        "Without a checkpointer: done if the result holds what only the last node writes, lost if not. With one: waiting "
        "if something comes next or a question is open; done if the saved values hold what the last node writes; lost "
        "for a thread on which nothing ever ran. An empty `.next` alone proves nothing: it is empty for a thread that "
        'nobody has ever used. compare("aghitl.silent") shows the solution.',
    ),
    "aghitl.stop": (
        "A waiting case has to lie somewhere while nobody works on it. Who keeps it, and under which name is it found "
        "again tomorrow? And what should happen to somebody who builds the graph and forgets to give it a place to keep "
        "things?",
        "`compile(checkpointer=..., interrupt_before=['settle'])` in `build`. Use the checkpointer that you were given, "
        "and make none of your own: whoever builds the graph again has to find the same cases. When it is None, raise "
        "ValueError with a text that holds the word checkpointer. In `assess`, wipe what an earlier case on the thread "
        "left: `decision` and `paid`.",
        "A cloakroom that is opened each evening with the same shelf:\n\n"
        "def open_cloakroom(shelf):\n"
        "    if shelf is None:\n"
        "        raise ValueError('a cloakroom needs a shelf')\n"
        "    return Cloakroom(shelf)\n\n"
        "If it bought a new shelf each evening, nobody would ever get a coat back. And who hands in a second coat must "
        "not get yesterday's ticket.",
        "First test the argument: None raises. Then compile with this very checkpointer. In `assess`, return for every "
        "new run: the requested sum as `amount`, an empty `decision`, 0 for `paid`. Without that, the approval of the "
        "first case still stands in the state when the second case arrives, and the second one is let through. "
        'compare("aghitl.stop") shows the difference to the solution.',
    ),
    "aghitl.resume": (
        "Somebody says yes. Two things have to happen: the yes has to be written down where `settle` can read it, and "
        "the run has to go on from where it stopped. Which call does the first, which the second? And what if nobody "
        "waits there at all?",
        "In `approve`: look with `app.get_state(config)`. If `settle` is not in `.next`, raise ValueError. Otherwise "
        "write the decision with `app.update_state(config, {...}, as_node=...)`, go on with `app.invoke(None, config)`, "
        "and return `app.get_state(config).values`. New input instead of None would start the run from the beginning.",
        "A kitchen in which an order waits for the guest's word:\n\n"
        "def serve(app, table):\n"
        "    if 'serve' not in app.get_state(table).next:\n"
        "        raise ValueError('nothing waits at this table')\n"
        "    app.update_state(table, {'word': 'yes'}, as_node='ask')\n"
        "    app.invoke(None, table)\n"
        "    return app.get_state(table).values\n\n"
        "None means: nothing new, go on from where you stopped.",
        "Write one helper that refuses when nothing waits, one that writes an update, goes on and returns the final "
        "values. `approve` is then one line: the update with decision `approve`. In `settle`, pay only when the decision "
        "is one that allows it, and write `paid` from what you really paid. So whoever goes on without a decision pays "
        'nothing. compare("aghitl.resume") shows how.',
    ),
    "aghitl.edit": (
        "The customer asked for 900, and the person at the desk allows 500. Which key changes, and which must not? How "
        "small and how large may the new sum be? And at what moment do you test that, so that a wrong sum leaves "
        "everything as it was?",
        "In `edit`: first look whether a case waits, then whether the amount is from 1 to what was requested, and raise "
        "ValueError if not; only then write. `update_state` gets `amount`, the decision `edit`, and one new line for "
        "`trace`. `update_state` goes through the reducers: a list under `trace` is added to what is there.",
        "A kilo of apples turned into half a kilo at the till:\n\n"
        "def weigh_again(app, till, grams):\n"
        "    basket = waiting(app, till)\n"
        "    if not 1 <= grams <= basket['asked']:\n"
        "        raise ValueError(grams)\n"
        "    return go_on(app, till, {'grams': grams, 'notes': ['weighed again']})\n\n"
        "Sending the whole list of notes would put the old ones in a second time.",
        "Take the waiting values, compare the new amount with 1 and with `requested`, raise for anything outside. Then "
        "the same way as `approve`, with three keys in the update: `amount`, `decision`, and `trace` with a list of one "
        "line of your own. An edit to exactly what was requested is still an edit. "
        'compare("aghitl.edit") shows how the solution does it.',
    ),
    "aghitl.hold": (
        "While the case waits, the limit is raised above what was requested. Does the case now need nobody? Nobody has "
        "decided yet, and somebody has it on the desk. Find out which function LangGraph asks after an "
        "`update_state`, and what that function would answer now.",
        "`update_state` without `as_node` counts as a write of the node that ran last, and the router behind that node "
        "is asked again. So either the decision is written as a node whose only way on is `settle`, or the router knows "
        "that the case is already in a person's hands. A node between the router and `settle` does the first.",
        "A letter that has been opened by the head of the office stays with the head:\n\n"
        "graph.add_conditional_edges('sort', who_reads, ['head', 'clerk'])\n"
        "graph.add_node('on_the_desk', put_on_the_desk)\n"
        "graph.add_edge('on_the_desk', 'head')\n\n"
        "Whoever writes as `on_the_desk` sends the letter on to the head, and the sorting is over.",
        "Add a node that does nothing but write its name, between the router and `settle`; let the router lead to it, "
        "and join it with `settle` by a plain edge. Then write each decision with `as_node` of that node. The gate stays "
        "before `settle`. Nothing asks the router again, so neither an edit nor a new limit can lead the case to "
        '`auto_settle`. compare("aghitl.hold") shows the solution.',
    ),
    "aghitl.reject": (
        "A no is an answer as well. If nothing happens after a no, what does the next person see on the desk? Say how a "
        "rejected case should look to somebody who reads it a year later, and which of your nodes writes that.",
        "`reject` goes the same way as `approve`: refuse when nothing waits, write the decision, go on with None, return "
        "the final values. `settle` reads the decision: it pays for `approve` and for `edit`, and for nothing else. "
        "`paid` is 0 then, and nothing waits any more.",
        "A job application that is turned down:\n\n"
        "def close(state):\n"
        "    if state['answer'] == 'no':\n"
        "        return {'contract': None, 'closed': True}\n"
        "    return {'contract': sign(state), 'closed': True}\n\n"
        "Both ways close the file. A file that is only left lying is not a refusal: it comes back tomorrow.",
        "In `settle`, test the decision before the payment, and return in both cases: decision, `paid`, and the name of "
        "the node. In `reject`, write decision `reject` the same way as the others, with the same `as_node`, so that a "
        "limit that was raised meanwhile cannot lead the case to the automatic payment. "
        'compare("aghitl.reject") shows the difference.',
    ),
    "aghitl.inline": (
        "A node that asks will run twice: once until the question, and once more, from its first line, when the answer "
        "is there. Which of the things that this step asks for may happen twice, and which may not? Where do those "
        "belong that may not?",
        "`interrupt(question)` from `langgraph.types`, in a node `confirm`. Its value is the answer. Put `notify` into a "
        "node before it: that one runs once. Build the question from the state only. Take an answer that is a dict with "
        "a known decision, and for an edit a whole amount from 1 to the request; ask again for anything else, by a loop "
        "inside or by an edge back to the node.",
        "A ship that asks for a berth, and asks again when the answer names none that is free:\n\n"
        "def berth(state):\n"
        "    answer = interrupt({'ship': state['ship'], 'length': state['length']})\n"
        "    if isinstance(answer, dict) and answer.get('berth') in FREE:\n"
        "        return {'berth': answer['berth']}\n"
        "    return {}\n\n"
        "graph.add_conditional_edges('berth', lambda state: 'moor' if state.get('berth') else 'berth', ['moor', 'berth'])",
        "Nodes: assess, one that notifies, `confirm`, one that pays or not, and `auto_settle`. `confirm` asks with "
        "`case_id` and `amount` from the state. On a good answer it writes decision and amount; on any other it writes "
        "only its name, and the edge behind it leads back. No `try` round `interrupt`: an `except Exception` would "
        'swallow the pause. compare("aghitl.inline") shows it.',
    ),
    "aghitl.count": (
        "One node asks three questions in a row. The person answers the first one. Which lines of the node run now? "
        "Count on your fingers: how often was its first line run when the last answer is in? Then write the node and "
        "let it be counted.",
        "A graph with one node over a schema with the key `answers`. The node calls `enter()` first, then `interrupt` "
        "once for each question, in the order of `questions`, and returns the answers as a list. LangGraph matches "
        "answers and calls of `interrupt` by their order. So the node must ask in the same order each time it runs.",
        "Two forms that are filled in one after the other:\n\n"
        "def desk(state):\n"
        "    opened()\n"
        "    name = interrupt('your name?')\n"
        "    town = interrupt('your town?')\n"
        "    return {'form': [name, town]}\n\n"
        "When the name arrives, the node runs from `opened()` again; the first interrupt gives the name at once, and "
        "the second one pauses.",
        "Inside the node: call `enter`, make a list with one `interrupt(question)` for each question, return it under "
        "`answers`. Do not use a reducer on that key: the node returns the whole list at once. Wire START to the node and "
        "the node to END, and compile with the checkpointer. There is nothing else to do, and the count is the lesson. "
        'compare("aghitl.count") shows the solution.',
    ),
    "aghitl.record": (
        "A year later somebody asks: how much did they want, how much did they get, who decided, was it changed? Which "
        "of these can you read off the final state, and at what moment is each of them true? A record that is written "
        "too early records a plan.",
        "`approval_record` takes a case and gives five keys: `case_id`, `requested`, `executed` (what was paid), "
        "`decision`, `changed`. Write it in the node that pays, after the payment, from the values that are true then: "
        "the state that the node got does not have its own writes in it yet.",
        "A receipt is printed when the money is in the drawer:\n\n"
        "def sell(state):\n"
        "    got = take(state['price'])\n"
        "    done = {**state, 'got': got}\n"
        "    return {'got': got, 'receipt': receipt_of(done)}\n\n"
        "`state` still holds the old `got`; `done` holds what is true now, and the receipt is made from that.",
        "In the last node of both graphs: make a dict of the case with the new `decision` and `paid` in it, call "
        "`approval_record` on that, and return it under `record` together with the other writes. `changed` compares what "
        "was paid with what was requested, so it is true for a rejected case. Wipe `record` when a new case begins. "
        'compare("aghitl.record") shows how.',
    ),
    "aghitl.restart": (
        "The process that opened the case is killed while the case waits. What is left of it? Go through your code and "
        "ask of each thing that a decision needs: does it stand in the checkpoint, or only in a variable of that "
        "process?",
        "Nothing new has to be written if `build` keeps nothing for itself. The check gives it a `SqliteSaver` on a file, "
        "opens a case, kills the process, and decides in a new one that builds the graph again on the same file. Module "
        "variables, closures with lists in them, and savers made inside `build` are gone by then.",
        "A librarian who notes loans in a book, and one who remembers them:\n\n"
        "def lend(book, reader, title):\n"
        "    book.append((reader, title))\n\n"
        "The first can be replaced overnight. The second cannot, however good the memory is: what is not in the book is "
        "not known to the next one.",
        "Look for what lives outside the state: a dictionary of approved cases, a flag at the top of the module, a saver "
        "of your own. Move what is needed into keys of `Refund`, and make `build` a function of its two arguments and "
        "nothing else. Then the graph that is built tomorrow is the same graph, and it finds the case where it waits. "
        'compare("aghitl.restart") shows the solution.',
    ),
}

NOTICED: dict[str, str] = {
    "aghitl.threshold": "Now notice: a rule that stands in one place can be changed in one place, and at once.",
    "aghitl.branch": "Now notice: the dangerous way is the one that nothing but a router keeps closed.",
    "aghitl.silent": "Now notice: a run that comes back without an error has not said that it is done.",
    "aghitl.stop": "Now notice: what waits lies with the checkpointer, under the name of its thread, and nowhere else.",
    "aghitl.resume": "Now notice: a decision is a write to the state, and going on is a run without new input.",
    "aghitl.edit": "Now notice: what was asked for and what is paid are two keys, because they are two facts.",
    "aghitl.hold": "Now notice: a write from outside counts as the write of a node, and what follows it is asked again.",
    "aghitl.reject": "Now notice: a no that leaves a trace is an outcome; a no that does nothing comes back tomorrow.",
    "aghitl.inline": "Now notice: a node that asks runs again from its start, so what may happen once only stands before it.",
    "aghitl.count": "Now notice: k answers make k + 1 entries. Whatever stands above a question happens once more for each.",
    "aghitl.record": "Now notice: a record is worth what was true when it was written.",
    "aghitl.restart": "Now notice: the graph may be built anew as often as you like; only the checkpoints must stay.",
}

PREDICTIONS: list[dict[str, Any]] = [
    {
        "id": "aghitl.p1",
        "question": "A gate stands before `settle`, and there is no checkpointer. A refund of 250,000 is sent in with "
        "invoke. What happens: 'error', 'paid', or 'silent' (it comes back, and nothing was paid)? One word.",
        "act": "gate_without_memory",
        "inputs": {"requested": 250_000},
        "noticed": "The run comes back with the values so far. No error, no payment, and no way on.",
        "beliefs": [
            {
                "name": "a gate without a memory is refused",
                "answer": lambda inputs: "error",
                "instead": "LangGraph compiles and runs it. It stops at the gate and returns, as if it were done.",
            },
            {
                "name": "a gate without a memory is no gate",
                "answer": lambda inputs: "paid",
                "instead": "The gate works: `settle` is not run. What is missing is a way to go on.",
            },
        ],
    },
    {
        "id": "aghitl.p2",
        "question": "With a checkpointer, the case waits before `settle`. Somebody sends the same input again on the same "
        "thread, to go on. How often does `assess` stand in `trace` then? A number.",
        "act": "assessed_after_new_input",
        "inputs": {"requested": 250_000},
        "noticed": "New input starts the run from the beginning; None goes on.",
        "beliefs": [
            {
                "name": "the same input goes on where it had stopped",
                "answer": lambda inputs: 1,
                "instead": "New input is a new run: it begins at START, and `assess` runs again.",
            },
            {
                "name": "a new run begins with an empty state",
                "answer": lambda inputs: 0,
                "instead": "The thread keeps its state; the second `assess` is added to the first.",
            },
        ],
    },
    {
        "id": "aghitl.p3",
        "question": "A node first notes 'mail sent' in a list outside the graph, then asks with interrupt(). The question "
        "is answered once. How many notes are in the list? A number.",
        "act": "effects_before_a_question",
        "inputs": {"answers": 1},
        "noticed": "The node ran twice from its first line: once to ask, once with the answer.",
        "beliefs": [
            {
                "name": "the node goes on at the line where it had stopped",
                "answer": lambda inputs: 1,
                "instead": "Nothing of a paused node is kept. It runs again from its start, and the question gives the "
                "answer at once.",
            },
            {
                "name": "a node runs once for each question and once for each answer",
                "answer": lambda inputs: 3,
                "instead": "One question and one answer: it runs until the question, and once more with the answer.",
            },
        ],
    },
    {
        "id": "aghitl.p4",
        "question": "One node asks four questions in a row, and all four are answered. How often is the node entered? "
        "A number.",
        "act": "entries_for_questions",
        "inputs": {"questions": 4},
        "noticed": "Once to reach the first question, and once more for each answer: k + 1.",
        "beliefs": [
            {
                "name": "a paused node is entered once",
                "answer": lambda inputs: 1,
                "instead": "Each answer starts the node again from its first line.",
            },
            {
                "name": "a node is entered once for each question",
                "answer": lambda inputs: inputs["questions"],
                "instead": "The last answer starts it once more: that is the run which comes to its end.",
            },
            {
                "name": "each question costs two entries",
                "answer": lambda inputs: 2 * inputs["questions"],
                "instead": "The run that uses one answer goes on to the next question; they share an entry.",
            },
        ],
    },
    {
        "id": "aghitl.p5",
        "question": "A case of 250,000 waits before `settle`; `assess` ran last, and the router behind it asks the limit. "
        "Somebody raises the limit to 300,000 and writes update_state(config, {'decision': 'reject'}). Which node comes "
        "next: 'settle', 'auto_settle' or 'nothing'?",
        "act": "next_after_an_update",
        "inputs": {"requested": 250_000, "raised": 300_000},
        "noticed": "An update counts as a write of the last node, and the router behind that node is asked again.",
        "beliefs": [
            {
                "name": "what comes next was settled at the pause",
                "answer": lambda inputs: "settle",
                "instead": "update_state counts as a write of `assess`. The router is asked again, and now it says "
                "something else.",
            },
            {
                "name": "an update ends the run",
                "answer": lambda inputs: "nothing",
                "instead": "An update writes and chooses what comes next; only a run runs it.",
            },
        ],
    },
    {
        "id": "aghitl.p6",
        "question": "A node asks with interrupt(). It is answered with Command(resume=...) and one of these: False, {} and "
        "None. Which of the three arrive as an answer? A list, such as [False, {}].",
        "act": "falsy_answers_that_arrive",
        "inputs": {"answers": [False, {}, None]},
        "noticed": "An empty dict is not delivered, and None fails. A dict with a decision in it always arrives.",
        "beliefs": [
            {
                "name": "whatever is sent arrives",
                "answer": lambda inputs: inputs["answers"],
                "instead": "`{}` leaves the run paused, and None raises an error from inside LangGraph.",
            },
            {
                "name": "nothing that is false can be an answer",
                "answer": lambda inputs: [],
                "instead": "False arrives on this version. On older ones it did not: so send dicts.",
            },
        ],
    },
]
