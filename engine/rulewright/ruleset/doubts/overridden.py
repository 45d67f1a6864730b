"""Says of a fault in a lower layer which override of an upper one it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rulewright.ruleset.doubts.places import Places
from rulewright.ruleset.layers.history import Origin, Path
from rulewright.ruleset.layers.resolved import Resolved
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, Related
from rulewright.source.nodes import Mapping, Node, Scalar

MOST_POINTED = 3
"""Overrides that a message points at."""

MOST_STEPS = 6
"""Names that may stand between a fault and the override: each is what the one before is worked out from."""

_NAME = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"`([^`]*)`")
_WORKED_OUT = ("numbers", "formulas")
"""Sections whose entries are worked out from what they name."""

_OVERRIDES = ("changes", "replaces", "adds")


def point_at_overrides(diagnostics: Diagnostics, resolved: Resolved) -> None:
    """Add to each fault in a lower layer the place where a layer above gave a name in it another value.

    A reader of the lower layer finds nothing wrong there; what has to be mended is the layer above. A name counts, and
    then what it is worked out from; an example counts for the procedure that it shows.
    """
    if len(resolved.layers) > 1 and len(diagnostics) and resolved.history.origins:
        overrides = _Overrides(resolved)
        diagnostics.replace([overrides.pointed(each) for each in diagnostics])


class _Overrides:
    """What the uppermost layer changed, by the name it goes by."""

    def __init__(self, resolved: Resolved) -> None:
        self.resolved = resolved
        self.top = resolved.layers[-1].name
        self.changed: dict[Path, list[Origin]] = {}
        for path, origins in resolved.history.origins.items():
            # What the layers between say is sound without the uppermost: they were checked so.
            if origins[-1].layer == self.top and origins[-1].operation in _OVERRIDES:
                for length in (2, 4):
                    self.changed.setdefault(path[:length], []).append(origins[-1])
        self._places: Places | None = None
        self._called: dict[str, list[Path]] = {}
        for path in _named(resolved.rules):
            self._called.setdefault(path[-1], []).append(path)

    def pointed(self, diagnostic: Diagnostic) -> Diagnostic:
        """The diagnostic, with the overrides that it comes from."""
        if self.resolved.layer_of(diagnostic.span) == self.top:
            return diagnostic
        known = {related.span for related in diagnostic.related}
        for names in self._starts(diagnostic):
            found = self._nearest(names)
            if found:
                notes = [Related(origin.span, said) for origin, said in found if origin.span not in known]
                return (
                    replace(diagnostic, related=(*diagnostic.related, *notes[:MOST_POINTED])) if notes else diagnostic
                )
        return diagnostic

    def _starts(self, diagnostic: Diagnostic) -> Iterator[list[str]]:
        """The names that stand in the place of a fault or are told of it; of an example, its procedure after them."""
        if self._places is None:
            self._places = Places(self.resolved.rules)
        found = self._places.find(diagnostic.span)
        quoted = " ".join(_QUOTED.findall(diagnostic.message))
        path, node = found if found is not None else ((), None)
        yield list(dict.fromkeys([*_NAME.findall(quoted), *path[-1:], *(_words(node) if node is not None else ())]))
        if path[:1] == ("examples",) and len(path) > 1:
            example = _at(self.resolved.rules, path[:2])
            shown = example.get("of") if isinstance(example, Mapping) else None
            if isinstance(shown, Scalar):
                procedure = _at(self.resolved.rules, ("procedures", shown.text))
                yield [shown.text]
                yield list(dict.fromkeys(_words(procedure))) if procedure is not None else []

    def _nearest(self, names: Sequence[str]) -> list[tuple[Origin, str]]:
        """The overrides of these names, or else of what they are worked out from."""
        seen: set[Path] = set()
        for _ in range(MOST_STEPS):
            paths = [path for name in names for path in self._called.get(name, ()) if path not in seen]
            if not paths:
                break
            seen.update(paths)
            found = {origin.span: (origin, path) for path in paths for origin in self.changed.get(path, ())}
            if found:
                return [(origin, _said(origin, path)) for origin, path in found.values()]
            inside = [_at(self.resolved.rules, path) for path in paths if path[0] in _WORKED_OUT or len(path) > 2]
            names = list(dict.fromkeys(word for node in inside if node is not None for word in _words(node)))
        return []


def _said(origin: Origin, path: Path) -> str:
    if path[0] == "numbers":
        return f"the value of `{path[-1]}` comes from here: `{origin.layer}` {origin.operation} it"
    return f"`{origin.layer}` {origin.operation} this of `{'.'.join(path[1::2])}`"


def _named(rules: Mapping) -> Iterator[Path]:
    """What expressions and steps can name: entries of sections, and what is said of the kinds of things."""
    for section, entry in rules.entries.items():
        if section == "examples" or not isinstance(entry.value, Mapping):
            continue
        for name, named in entry.value.entries.items():
            if section != "kinds":
                yield (section, name)
            elif isinstance(named.value, Mapping):
                for part, inner in named.value.entries.items():
                    if isinstance(inner.value, Mapping):
                        yield from ((section, name, part, key) for key in inner.value.entries)


def _at(rules: Mapping, path: Iterable[str]) -> Node | None:
    node: Node | None = rules
    for key in path:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def _words(node: Node) -> Iterator[str]:
    """The names in all that is written in a node, as a value or a key; not in what is told to people."""
    if isinstance(node, Scalar):
        yield from _NAME.findall(node.text)
    elif isinstance(node, Mapping):
        for key, entry in node.entries.items():
            if key not in _TOLD:
                yield from _NAME.findall(key)
                yield from _words(entry.value)
    else:
        for item in node.items:
            yield from _words(item)


_TOLD = ("title", "means", "said", "names", "label", "ask", "text", "about", "tell")
