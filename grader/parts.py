"""The part of a module that a step is about: told from its text alone. Never imports or runs what it reads.

A thing is a name (`merge_sources`) or a key of a class (`State.sources`).
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from grader.model import Lab, Step

LONGEST = 200_000
"""Characters of a module that are looked at; a longer one has no parts."""


def written(step: Step) -> Sequence[str]:
    """What the learner writes for a step; all of its names where the lab does not say."""
    return step.writes or step.names


def first_asked_in(step: Step, lab: Lab) -> Sequence[str]:
    """What is written in this step and in none before it."""
    place = [each.id for each in lab.steps].index(step.id)
    before = {thing for each in lab.steps[:place] for thing in written(each)}
    return [thing for thing in written(step) if thing not in before]


def excerpt(source: str, things: Sequence[str], foreign: Collection[str] = ()) -> list[str]:
    """The lines that define these things, with the helpers and imports they need, in the module's own order.

    Without docstrings: both sides of a comparison would have to agree on them. Names in `foreign` are no helpers, since
    they belong to other steps. Raises SyntaxError.
    """
    text = _clean(source)
    body, lines = ast.parse(text).body, text.split("\n")
    wanted = _roots(things)
    named = {name: node for node in body for name in _defines(node)}
    queue = [name for name in wanted if name in named]
    used: set[str] = set()
    while queue:
        name = queue.pop()
        for helper in _names_in(named[name], wanted[name]) - used:
            used.add(helper)
            if helper in named and helper not in wanted and helper not in foreign:
                wanted[helper] = None
                queue.append(helper)
    return [line for node in body for line in _shown(node, wanted, used, lines)]


def unwritten(source: str, starter: str, things: Sequence[str]) -> list[str]:
    """Those of `things` that are still as the starter has them. None of them where the text cannot be read."""
    if len(source) > LONGEST:
        return []
    try:
        mine, given = _meanings(source), _meanings(starter)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [thing for thing in things if _meaning(mine, thing) == _meaning(given, thing)]


def _meaning(meanings: Mapping[str, str], thing: str) -> str:
    """What a thing is defined as. A key of what is no class statement is looked for nowhere: it may well be there."""
    root = thing.partition(".")[0]
    return meanings.get(thing, "" if root in meanings and f"{root}." in meanings else meanings.get(root, ""))


def _meanings(source: str) -> dict[str, str]:
    """What each name, and each key of a class, is defined as: without docstrings, comments and spaces."""
    found: dict[str, str] = {}
    for node in ast.parse(_clean(source)).body:
        for name in _defines(node):
            found[name] = "\n".join(ast.dump(part) for part in _told(node))
        if isinstance(node, ast.ClassDef):
            found[f"{node.name}."] = "a class"
            found |= {f"{node.name}.{key}": ast.dump(part) for part in node.body for key in _defines(part)}
    return found


def _told(node: ast.stmt) -> list[ast.stmt]:
    """A definition's statements without its docstring; the definition itself where it has none."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node]
    return node.body[1:] if _docstring(node) else node.body


def _clean(source: str) -> str:
    return source.replace("\r\n", "\n").removeprefix("\ufeff")


def _roots(things: Sequence[str]) -> dict[str, set[str] | None]:
    """Each name with the keys that are asked of it; None where it is asked for as a whole."""
    roots: dict[str, set[str] | None] = {}
    for thing in things:
        name, _, key = thing.partition(".")
        keys = roots.setdefault(name, set() if key else None)
        if key and keys is not None:
            keys.add(key)
    return roots


def _names_in(node: ast.stmt, keys: set[str] | None) -> set[str]:
    """The names that a definition uses. Annotations of functions do nothing, and are left out."""
    return {name.id for part in _working(node, keys) for name in ast.walk(part) if isinstance(name, ast.Name)}


def _working(node: ast.stmt, keys: set[str] | None) -> Iterator[ast.AST]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from [*node.body, *node.decorator_list, *node.args.defaults]
            yield from filter(None, node.args.kw_defaults)
        case ast.ClassDef():
            yield from [*node.bases, *node.decorator_list, *_kept(node, keys)]
        case ast.Import() | ast.ImportFrom():
            return
        case _:
            yield node


def _kept(node: ast.ClassDef, keys: set[str] | None) -> list[ast.stmt]:
    return node.body if keys is None else [part for part in node.body if _defines(part) & keys]


def _shown(node: ast.stmt, wanted: Mapping[str, set[str] | None], used: set[str], lines: Sequence[str]) -> list[str]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return _imported(node, used | set(wanted))
    name = next((name for name in _defines(node) if name in wanted), None)
    if name is None:
        return []
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    keys = wanted[name]
    if isinstance(node, ast.ClassDef) and keys is not None:
        inside = [line for part in _kept(node, keys) for line in lines[part.lineno - 1 : part.end_lineno]]
        return ["", *lines[first - 1 : _header_end(node)], *inside]
    left_out = _docstring_lines(node, lines)
    return ["", *(lines[at - 1] for at in range(first, (node.end_lineno or first) + 1) if at not in left_out)]


def _header_end(node: ast.ClassDef) -> int:
    """The line on which the head of a class ends: the one that names it, or the last of its bases."""
    inside = [*node.bases, *(keyword.value for keyword in node.keywords)]
    return max([node.lineno, *(each.end_lineno or node.lineno for each in inside)])


def _imported(node: ast.Import | ast.ImportFrom, used: set[str]) -> list[str]:
    needed = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) in used]
    if not needed:
        return []
    if isinstance(node, ast.Import):
        return [ast.unparse(ast.Import(needed))]
    return [ast.unparse(ast.ImportFrom(node.module, needed, node.level))]


def _docstring(node: ast.stmt) -> ast.Expr | None:
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return None
    match node.body[0]:
        case ast.Expr(value=ast.Constant(value=str())) as said:
            return said
    return None


def _docstring_lines(node: ast.stmt, lines: Sequence[str]) -> range:
    """The lines of a docstring, and an empty one behind it."""
    said = _docstring(node)
    if said is None or said.lineno == node.lineno:
        return range(0)
    end = said.end_lineno or said.lineno
    return range(said.lineno, end + (2 if end < len(lines) and not lines[end].strip() else 1))


def _defines(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {target.id for target in targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return {alias.asname or alias.name.partition(".")[0] for alias in aliases}
    return set()
