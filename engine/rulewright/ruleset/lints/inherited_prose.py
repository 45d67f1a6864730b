"""Report inherited texts that describe a rule which a layer has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.ruleset.elaborate.node_readers import iterate_entries
from rulewright.ruleset.layers.value_origins import Path
from rulewright.ruleset.prose_diagnostics import WORDS_OUTDATED
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.ruleset.section import load_sections
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Mapping, Node, Scalar


def lint(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report texts that a lower layer wrote for a rule that an upper layer changed. The position is the changed rule.

    A layer that sets the first text of the rule, changed or not, is taken to have reviewed the others.
    """
    order = {layer.name: place for place, layer in enumerate(ruleset.resolved.layers)}

    def latest(node: Node) -> int:
        spans = [leaf.span for leaf in _leaves(node)] or [node.span]
        return max(order[ruleset.resolved.find_layer(span)] for span in spans)

    for section in load_sections().values():
        for pattern, keys in section.worded.items():
            *within, played = pattern.split(".")
            for identity, entry in iterate_entries(ruleset.resolved.rules.get(section.key)):
                for path, value in _places(entry.value, within, (section.key, identity)):
                    text = value.get(played)
                    words = [(key, there) for key in keys if (there := value.get(key)) is not None]
                    # A layer that sets the first text, changed or not, is taken to have reviewed the other texts.
                    if text is None or not words or latest(text) <= latest(words[0][1]):
                        continue
                    old = [(key, there) for key, there in words if latest(there) < latest(text)]
                    named = join_alternatives((f"`{key}`" for key, _ in old), word="and")
                    message = f"`{'.'.join(path)}` has a new `{played}`, but still has the inherited {named}"
                    related = tuple(RelatedSpan(there.span, f"this `{key}` is inherited") for key, there in old)
                    hint = f"compare {'them' if len(old) > 1 else 'it'} with the new rule, and write `{old[0][0]}:`"
                    hint += f" beside it, changed or unchanged: `{_few(old[0][1])}`"
                    diagnostics.add(WORDS_OUTDATED, message, text.span, related=related, suggestion=hint)


def _places(node: Node, pattern: Sequence[str], path: Path) -> Iterator[tuple[Path, Mapping]]:
    """Yield the mappings inside an entry that match a pattern, each with its path.

    `*` in the pattern matches any key.
    """
    if not isinstance(node, Mapping):
        return
    if not pattern:
        yield path, node
        return
    for key, entry in node.entries.items():
        if pattern[0] in ("*", key):
            yield from _places(entry.value, pattern[1:], (*path, key))


def _leaves(node: Node) -> Iterator[Node]:
    """Yield the scalars and lists at or below a node, through mappings only."""
    if isinstance(node, Mapping):
        for entry in node.entries.values():
            yield from _leaves(entry.value)
    else:
        yield node


_FEW = 80
"""The maximum length of a quoted text."""


def _few(words: Node) -> str:
    text = " ".join(words.text.split()) if isinstance(words, Scalar) else "…"
    return text if len(text) <= _FEW else f"{text[: _FEW - 1]}…"
