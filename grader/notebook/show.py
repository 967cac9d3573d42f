"""`show`: a graph as a diagram that JupyterLab draws by itself, offline, and as a list of arrows in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

START, END = "__start__", "__end__"
_NAMES = {START: "START", END: "END"}


@dataclass(frozen=True)
class Arrow:
    """From one node to another; `asks` for a conditional edge, whose `label` may say when it is taken."""

    before: str
    after: str
    asks: bool = False
    label: str = ""


Join = tuple[Sequence[str], str]
"""Several nodes, and the one that waits for all of them."""


class Diagram:
    """Nodes and arrows of a graph. JupyterLab draws the Mermaid form; every other place shows the words."""

    def __init__(self, nodes: Sequence[str], arrows: Sequence[Arrow], joins: Sequence[Join] = ()) -> None:
        self.nodes = nodes
        self.arrows = arrows
        self.joins = joins

    @property
    def caption(self) -> str:
        inner = [node for node in self.nodes if node not in _NAMES]
        asks = any(arrow.asks for arrow in self.arrows)
        dotted = " A dotted arrow is taken or not: a router decides." if asks else ""
        return f"A graph with {len(inner)} {'node' if len(inner) == 1 else 'nodes'}: {', '.join(inner)}.{dotted}"

    def __repr__(self) -> str:
        return "\n".join([self.caption, *_in_words(self.arrows, self.joins)])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        # No text/html: JupyterLab would show that and not the drawing.
        return {"text/vnd.mermaid": self.mermaid(), "text/plain": repr(self)}

    def mermaid(self) -> str:
        """The diagram as Mermaid text. Names stand in labels only, so that any name will do."""
        number = {node: f"n{place}" for place, node in enumerate(self.nodes)}
        lines = ["flowchart TD", f"accTitle: {_one_line(self.caption)}", f"accDescr: {_one_line(repr(self))}"]
        for node, key in number.items():
            text = _quoted(_shown(node))
            lines.append(f"{key}([{text}])" if node in _NAMES else f"{key}[{text}]")
        for arrow in self.arrows:
            line = f"-. {_quoted(arrow.label)} .->" if arrow.label and arrow.asks else "-.->" if arrow.asks else "-->"
            lines.append(f"{number[arrow.before]} {line} {number[arrow.after]}")
        return "\n".join(lines) + "\n"


def show(graph: Any) -> Diagram:
    """Draw a graph, compiled or not. Asks no service. Raises TypeError for what is no graph."""
    ready = compiled(graph, "show")
    drawn = ready.get_graph()
    nodes = [START, *(str(node) for node in drawn.nodes if node not in _NAMES), END]
    # A graph names its edges in an order of its own; a reader wants the order of the nodes.
    edges = [edge for edge in drawn.edges if edge.source in drawn.nodes and edge.target in drawn.nodes]
    edges.sort(key=lambda edge: (nodes.index(edge.source), nodes.index(edge.target)))
    arrows = [Arrow(edge.source, edge.target, bool(edge.conditional), _label(edge)) for edge in edges]
    used = {name for arrow in arrows for name in (arrow.before, arrow.after)}
    waiting = getattr(getattr(ready, "builder", None), "waiting_edges", ())
    joins = sorted((sorted(before, key=nodes.index), after) for before, after in waiting)
    return Diagram([node for node in nodes if node in used or node not in _NAMES], arrows, joins)


def compiled(graph: Any, verb: str) -> Any:
    """The graph, ready to run or draw. Raises TypeError, with what to give instead."""
    if isinstance(graph, type):
        raise TypeError(
            f"{verb} takes a graph, such as what compile() gives; this is the class {graph.__name__} itself."
        )
    # Other runnables have get_graph and stream too; only a graph has channels.
    if hasattr(graph, "get_graph") and hasattr(graph, "channels") and hasattr(graph, "stream"):
        return graph
    if hasattr(graph, "add_node") and hasattr(graph, "compile"):
        return graph.compile()
    raise TypeError(f"{verb} takes a graph, such as what compile() gives; this is {type(graph).__name__}.")


def _label(edge: Any) -> str:
    data = edge.data
    return "" if data is None or str(data) == str(edge.target) else str(data)


def _in_words(arrows: Sequence[Arrow], joins: Sequence[Join]) -> Iterable[str]:
    """One line a node: where it leads, or between whom its router chooses; one line for each join."""
    joined = {(before, after) for together, after in joins for before in together}
    arrows = [arrow for arrow in arrows if (arrow.before, arrow.after) not in joined]
    plain: dict[str, list[str]] = defaultdict(list)
    asked: dict[str, list[str]] = defaultdict(list)
    for arrow in arrows:
        words = f"{_shown(arrow.after)} ({arrow.label})" if arrow.label else _shown(arrow.after)
        (asked if arrow.asks else plain)[arrow.before].append(words)
    for before in dict.fromkeys(arrow.before for arrow in arrows):
        if before in plain:
            yield f"  {_shown(before)} -> {', '.join(plain[before])}"
        if before in asked:
            yield f"  {_shown(before)} -?-> {' or '.join(asked[before])}"
    for together, after in joins:
        all_of = "both" if len(together) == 2 else f"all {len(together)}"
        yield f"  {' + '.join(together)} -> {after} (waits for {all_of})"


def _shown(node: str) -> str:
    return _NAMES.get(node, node)


def _quoted(text: str) -> str:
    """A Mermaid label: every character that could mean something to Mermaid or HTML is written by its number."""
    safe = "".join(char if char.isalnum() or char in " _-.,:" else f"#{ord(char)};" for char in " ".join(text.split()))
    return f'"{safe}"'


def _one_line(text: str) -> str:
    return " ".join(text.replace("{", "(").replace("}", ")").replace("#", "").replace(";", ",").split())
