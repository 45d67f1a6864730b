"""Blocks with a single short step, which needs no list below the sentence of the outer step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Sequence as SequenceOf

from rulewright.book.english.grammar import is_one_sentence, lower_first, refer_to_object, replace_noun, strip_subject
from rulewright.language.checked_steps import Step, find_placement
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence

_LISTS = ("<ul", "<ol", "<div")


class OnlyStep(str):
    """The only step of a block, as the rest of the sentence of its outer step. It begins in lower case."""

    def __new__(cls, sentence: str, mark: Callable[[str], str]) -> OnlyStep:
        """Return the step with this sentence. `mark` adds the address of the step."""
        result = super().__new__(cls, mark(lower_first(sentence)))
        result.sentence, result.mark, result.rest = lower_first(sentence), mark, ""
        return result

    sentence: str
    mark: Callable[[str], str]
    rest: str
    """The sentence without its subject, if that was asked for."""

    def refer_back(self, refer_back: Callable[[str], str]) -> str:
        """Return the step with the pronouns that `refer_back` puts into its sentence."""
        self.rest = self.mark(refer_back(self.sentence))
        return self.rest

    def replacing(self, noun: str, words: str) -> str:
        """Return the step with other words for a noun, or a pronoun for its only mention without `words`.

        The result is empty if the step does not mention the noun so.
        """
        if words:
            sentence = replace_noun(self.sentence, noun, words)
        else:
            sentence = refer_to_object(self.sentence, noun, several=False)
        if not sentence or sentence == self.sentence:
            return ""
        self.rest = self.mark(sentence)
        return self.rest

    def without(self, subject: str) -> str:
        """Return the sentence after its subject, or an empty string if it has another or mentions this one again."""
        rest = strip_subject(self.sentence, subject)
        self.rest = self.mark(rest) if rest else ""
        return self.rest


def find_only_step(steps: SequenceOf[tuple[Step, list[Step]]], *, loops: bool) -> Step | None:
    """Return the only step of a block if it fits into the sentence of the outer step, or None.

    `steps` are the steps of the block, each with its special cases. It must not have special cases or triggers, nor
    nested steps unless it is a loop. Only a loop takes a step with a condition, because a reader might take an
    “Otherwise” for that of the inner one.
    """
    if len(steps) != 1:
        return None
    (step, special), *_ = steps
    plain = not (special or step.touched or find_placement(step)) and (not step.blocks or step.verb.loops)
    return step if plain and (loops or step.when is None or "text" in step.words) else None


def fits_sentence(text: str, ruleset: Ruleset) -> bool:
    """Return whether the text of a step can be part of a sentence: it is one sentence itself and contains no list."""
    return not any(tag in text for tag in _LISTS) and is_single(text, ruleset)


def is_single(text: str, ruleset: Ruleset) -> bool:
    """Return whether a text is one sentence, which may contain names of the rules with full stops."""
    return is_one_sentence(text, ruleset.get_or_make(_NamesWithStops).content)


class _NamesWithStops:
    """The names in the rules that contain a full stop. Unlike a text, a name does not end with a mark."""

    def __init__(self, ruleset: Ruleset) -> None:
        texts = _iterate_texts(ruleset.resolved.rules)
        self._names = tuple(sorted({text for text in texts if ". " in text and text[-1].isalnum()}))

    @property
    def content(self) -> tuple[str, ...]:
        """The names themselves."""
        return self._names


def _iterate_texts(node: Node) -> Iterator[str]:
    """Yield every value in some rules."""
    match node:
        case Scalar():
            yield node.text.strip()
        case Sequence():
            yield from (text for item in node.items for text in _iterate_texts(item))
        case Mapping():
            yield from (text for entry in node.entries.values() for text in _iterate_texts(entry.value))


def follow(block: str, refer_back: Callable[[str], str] = str) -> str:
    """Return nested steps after a condition: a single one after a comma, and several as a list after a colon.

    `refer_back` puts pronouns into the sentence of a single step.
    """
    return f", {block.refer_back(refer_back)}" if isinstance(block, OnlyStep) else open_block(block)


def begin_loop(block: str, *, plain: bool = False) -> str:
    """Return the command of a loop before its nested steps. It is `do this` if the loop only runs a number of times."""
    return "do this" if plain else "repeat this" if isinstance(block, OnlyStep) else "repeat these steps"


def open_block(block: str) -> str:
    """Return nested steps after a colon, or an ellipsis if there are none."""
    if isinstance(block, OnlyStep):
        return f": {block}"
    return f":{block}" if block else " …"


def keep_blocks(text: str, blocks: Iterable[str]) -> str:
    """Return the sentence of a step. Raises `ValueError` if it leaves out one of its blocks of nested steps."""
    for number, block in enumerate(blocks):
        rest = isinstance(block, OnlyStep) and block.rest
        if block not in text and not (rest and rest in text):
            raise ValueError(f"the sentence leaves out the nested steps `blocks[{number}]`")
    return text
