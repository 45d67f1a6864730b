"""Inherited texts of examples with other results: they are compared and signed like the texts of pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rulewright.ruleset import prose_diagnostics as codes
from rulewright.ruleset.elaborate.node_readers import list_items
from rulewright.ruleset.layers.merge_log import is_same
from rulewright.ruleset.layers.value_origins import Origin, Path
from rulewright.ruleset.prose.stale_texts import is_signed
from rulewright.ruleset.prose.text_signature import compute_signature
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.ruleset.section import load_sections
from rulewright.ruleset.sections.pages import Section
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Mapping, Node, Scalar

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

_RESULTS = ("choose", "expect")
"""The keys of an example that its texts describe. Other rolls and starting values can lead to the same results."""

_PARAGRAPHS = "\n\n"

_MOST_NAMED = 3
"""The maximum number of examples in a message."""


def list_texts() -> tuple[str, ...]:
    """Return the keys of an example with texts."""
    return load_sections()["examples"].retold


def is_data(key: str) -> bool:
    """Return whether a key of an example has data, which are neither texts nor the signature of these."""
    return key not in (*list_texts(), "reviewed")


class ExampleChanges:
    """The histories of the values of examples that the top layer changes, by example, except those of texts.

    Each is with its path in the example.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        top = ruleset.resolved.layers[-1].name
        self.parts: dict[str, list[tuple[Path, tuple[Origin, ...]]]] = {}
        for path, origins in ruleset.resolved.history.list_section("examples").items():
            if len(path) < 3 or not is_data(path[2]) or origins[-1].layer != top:
                continue
            # A new expectation contradicts none, but a new choice does.
            if len(origins) > 1 or path[2] == "choose":
                self.parts.setdefault(path[1], []).append((path[2:], tuple(origins)))


class ExampleText(Section):
    """The inherited texts of an example of which the top layer changes the choices or the results.

    `text` has the title and the text of the example as paragraphs. `span` is the first changed value.
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the text."""
        return f"examples.{self.id}"

    @property
    def path(self) -> tuple[str, ...]:
        """The path of the example."""
        return ("examples", self.id)

    def split(self, text: str) -> dict[str, str]:
        """Return the texts by key that are written in paragraphs, without the keys that have none."""
        first, _, rest = text.strip().partition(_PARAGRAPHS)
        words = zip(list_texts(), (" ".join(each.split()) for each in (first, rest)), strict=True)
        return {key: each for key, each in words if each}


def list_example_texts(ruleset: Ruleset) -> Iterator[ExampleText]:
    """Yield the inherited texts of every example of which the top layer changes the choices or the results."""
    examples = ruleset.resolved.rules.get("examples")
    for name, changes in ruleset.get_or_make(ExampleChanges).parts.items():
        node = examples.get(name) if isinstance(examples, Mapping) else None
        spans = [change[-1].span for (key, *_), change in changes if key in _RESULTS and _is_retold(key, change)]
        if isinstance(node, Mapping) and spans and list_inherited(node, ruleset):
            texts = [text for key in list_texts() if isinstance(text := node.get(key), Scalar) and text.text.strip()]
            signature, path = node.get("reviewed"), f"examples.{name}"
            yield ExampleText(
                "examples",
                name,
                "",
                texts[0].text,
                _PARAGRAPHS.join(each.text.strip() for each in texts),
                (Scalar(path, path, spans[0]),),
                (),
                signature if isinstance(signature, Scalar) else None,
                (),
                (),
                (),
                node,
                spans[0],
            )


def is_example_signed(name: str, ruleset: Ruleset) -> bool:
    """Return whether the inherited texts of an example are signed for its current choices and results."""
    examples = ruleset.resolved.rules.get("examples")
    node = examples.get(name) if isinstance(examples, Mapping) else None
    if not isinstance(node, Mapping) or "reviewed" not in node.entries:
        return False
    return any(each.id == name and is_signed(each, ruleset) for each in list_example_texts(ruleset))


def describe_results(text: ExampleText, ruleset: Ruleset) -> Iterator[str]:
    """Yield each changed choice or result of an example, as in `player.points: 6 → 8`."""
    for (key, *expression), change in ruleset.get_or_make(ExampleChanges).parts.get(text.id, ()):
        if key in _RESULTS:
            before = change[-2].value if len(change) > 1 else "nothing"
            yield f"{'.'.join(expression) or key}: {before} → {change[-1].value}"


def _is_retold(key: str, change: Sequence[Origin]) -> bool:
    """Return whether a change of an example is another story: other results, or other choices.

    Choices that only answer more or fewer questions tell the same story, which happens if a rule asks once more.
    If there are none any more, or were none, it is another one.
    """
    if key != "choose" or len(change) == 1:
        return True
    before, after = list_items(change[0].node), list_items(change[-1].node)
    return not (before and after and (_is_part(before, after) or _is_part(after, before)))


def _is_part(some: Sequence[Node], more: Sequence[Node]) -> bool:
    """Return whether `some` are all in `more`, in the same order."""
    rest = iter(more)
    return all(any(is_same(each, other) for other in rest) for each in some)


def list_inherited(example: Mapping, ruleset: Ruleset) -> dict[str, Scalar]:
    """Return the texts of an example that lower layers wrote, by key."""
    return {
        key: text
        for key in list_texts()
        if isinstance(text := example.get(key), Scalar) and text.text.strip() and not ruleset.resolved.is_own(text.span)
    }


def lint_example_texts(ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report inherited texts of examples with other results that nobody has compared with them, once in each file.

    Leaves out examples for which `diagnostics` has an `EXAMPLE_NUMBER`, so call it after `lint_example_numbers`, with
    the same collector.
    """
    known = {name for each in diagnostics if each.code is codes.EXAMPLE_NUMBER for name in each.examples}
    by_file: dict[str, list[ExampleText]] = {}
    for text in list_example_texts(ruleset):
        if text.id not in known and not is_signed(text, ruleset):
            by_file.setdefault(text.span.file, []).append(text)
    for texts in by_file.values():
        first, *others = texts
        inherited = list_inherited(first.node, ruleset)
        again = ", ".join(f"{key}: …" for key in inherited)
        if others:
            names = [f"`{text.name}`" for text in texts[:_MOST_NAMED]]
            names += [f"{len(texts) - len(names)} more"] if len(texts) > len(names) else []
            message = f"the inherited texts of {join_alternatives(names, word='and')} were written for other results"
            hint = (
                "compare them with the results of the examples with `check --sign`, and write those that are no longer "
                f"true again, as in `examples: {{{first.id}: {{{again}}}}}`"
            )
        else:
            were = "were" if len(inherited) > 1 else "was"
            what = join_alternatives(inherited, word="and")
            message = f"the inherited {what} of `{first.name}` {were} written for other results"
            hint = (
                f"compare with the results of the example, and write what is no longer true again: `examples: "
                f"{{{first.id}: {{{again}}}}}`. If all is still true, sign it: "
                f"`reviewed: {compute_signature(first, ruleset)}`"
            )
        related = tuple(
            RelatedSpan(each.span, f"the {key} is here")
            for text in texts
            for key, each in list_inherited(text.node, ruleset).items()
        )
        ids = tuple(text.id for text in texts)
        diagnostics.add(codes.TEXT_OUTDATED, message, first.span, related=related, suggestion=hint, examples=ids)
