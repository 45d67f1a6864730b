"""Check the numbers in the texts of examples.

An example may name the numbers that it sets, chooses, rolls or expects, because they are tested when it runs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulewright.ruleset import prose_diagnostics as codes
from rulewright.ruleset.layers.value_origins import Origin
from rulewright.ruleset.prose.book_language import find_language
from rulewright.ruleset.prose.example_texts import ExampleChanges, is_data, is_example_signed
from rulewright.ruleset.prose.literal_numbers import LiteralNumber, find_numbers
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.prose.text_walk import WordsAt
from rulewright.ruleset.schema.schema_path import join_alternatives
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import RelatedSpan
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence, follow_keys
from rulewright.source.span import Span

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

_WHOLE = re.compile(r"\d+")


def lint_example_numbers(words: WordsAt, ruleset: Ruleset, diagnostics: Diagnostics) -> None:
    """Report the numbers in a text of an example that its data does not have.

    Those of an inherited text appear where the top layer changes the data. That includes numbers which the change
    replaces, even if the example has the same number elsewhere, unless the text counts objects of the example with it.
    What lower layers left outdated, and what is signed as it is, is not reported.
    """
    _, example, key, *_ = words.path
    numbers = list(find_numbers(words.scalar, find_language(ruleset)))
    if not numbers:
        return
    own = _find_own_numbers(example, ruleset)
    if ruleset.resolved.is_own(words.scalar.span):
        for number in numbers:
            if number.value not in own:
                message = f"the {key} of `{example}` says `{number.written}`, but the example has no such number"
                hint = f"write a number of the example or a placeholder, or keep it as `{{'{number.written}'}}`"
                diagnostics.add(codes.EXAMPLE_NUMBER, message, number.span, suggestion=hint)
        return
    changed = ruleset.get_part(ExampleChanges, example).parts.get(example, [])
    changes = [change for _, change in changed if len(change) > 1]
    stale: list[LiteralNumber] = []
    causes: list[Span] = []
    for number in numbers:
        replaced = [change for change in changes if number.value in _find_replaced(change)]
        cause = next(iter(replaced or (changes if number.value not in own else ())), None)
        if cause and not _counts_given(number, words.scalar.text, example, ruleset):
            stale.append(number)
            causes.append(cause[-1].span)
    if stale and not is_example_signed(example, ruleset):
        written = dict.fromkeys(f"`{number.written}`" for number in stale)
        message = f"the inherited {key} of `{example}` still says {join_alternatives(written, word='and')}"
        written_at = f"`examples: {{{example}: {{{key}: …}}}}`"
        hint = f"write the {key} again, changed, or unchanged if it is still correct: {written_at}"
        related = (RelatedSpan(stale[0].span, f"the {key} is here"),)
        diagnostics.add(codes.EXAMPLE_NUMBER, message, causes[0], related=related, suggestion=hint, examples=(example,))


def _find_replaced(change: tuple[Origin, ...]) -> set[str]:
    """Return the numbers of the previous value that the new one does not have."""
    before, after = (set(_WHOLE.findall(origin.value)) for origin in change[-2:])
    return before - after


def _counts_given(number: LiteralNumber, text: str, name: str, ruleset: Ruleset) -> bool:
    """Return whether a number in a text says how many objects an example is given, by the term that follows it."""
    end = number.start + len(number.written)
    after = next((part for part in parse_parts(text[end:]) if isinstance(part, Placeholder)), None)
    given = follow_keys(ruleset.resolved.rules, "examples", name, "given")
    if after is None or text[end : end + after.start].strip() != "{" or not isinstance(given, Mapping):
        return False
    term = after.body.partition(".")[0]
    lists = [given.get(kind.plural) for kind in ruleset.declarations.kinds.values() if term in (kind.term, kind.id)]
    return any(isinstance(each, Sequence) and str(len(each.items)) == number.value for each in lists)


def _find_own_numbers(name: str, ruleset: Ruleset) -> frozenset[str]:
    """Return the numbers in an example's data, as digits, and the lengths of its lists.

    Empty if there is no such example.
    """
    examples = ruleset.resolved.rules.get("examples")
    example = examples.get(name) if isinstance(examples, Mapping) else None
    if not isinstance(example, Mapping):
        return frozenset()
    data = [entry.value for key, entry in example.entries.items() if is_data(key)]
    return frozenset(figure for node in data for figure in _find_numbers(node))


def _find_numbers(node: Node) -> frozenset[str]:
    """Return the numbers in a node, in its keys too, as digits, and the lengths of its lists."""
    match node:
        case Scalar():
            return frozenset(_WHOLE.findall(node.text))
        case Sequence():
            inner = [_find_numbers(item) for item in node.items]
            return frozenset({str(len(inner))}).union(*inner)
        case Mapping():
            inner = [_find_numbers(entry.value) for entry in node.entries.values()]
            names = (figure for key in node.entries for figure in _WHOLE.findall(key))
            return frozenset(names).union(*inner)
