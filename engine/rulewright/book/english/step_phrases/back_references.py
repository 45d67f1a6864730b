"""Pronouns after a condition: `If there is an old bed, dig it`, and `If the player has seeds, they may sow one`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.book.english.expression_english import English
from rulewright.book.english.grammar import refer_to_object, refer_to_subject
from rulewright.language.checked_steps import Step
from rulewright.language.declarations import GAME_KIND, PLAYER_KIND
from rulewright.language.expressions.typed_ast import Aggregate, Local, Logic, Not, Present, Stored, Typed, Variable
from rulewright.language.statement import list_expressions
from rulewright.language.types import PLAYER, Entity, ListOf, present


def refer_back(say: English, step: Step, condition: Typed, words: str, sentence: str) -> str:
    """Return the sentence of a step after a condition, with pronouns for what the condition is about.

    `words` are those of the condition. The sentence stays as it is where a pronoun could be misread.
    """
    # Of several clauses, each could have the subject that a pronoun means.
    subjects = {} if isinstance(condition, Logic) else dict(_list_subjects(say, step, condition))
    for subject, is_person in sorted(subjects.items(), key=lambda each: -len(each[0])):
        others = [other for other, person in subjects.items() if person is is_person and other not in subject]
        text = refer_to_subject(sentence, subject, words, others, is_person=is_person)
        if text:
            sentence = text
            break
    thing = _find_introduced(condition)
    if thing is None:
        return sentence
    phrase = say.phrase(thing)
    if phrase.items or phrase.where:
        return sentence
    return refer_to_object(sentence, phrase.words, several=isinstance(thing.type, ListOf)) or sentence


def _list_subjects(say: English, step: Step, condition: Typed) -> Iterator[tuple[str, bool]]:
    """Yield the nouns that a condition and the sentence after it may both begin with, and whether each is a player."""
    for kind in say.style.ruleset.declarations.kinds:
        if kind != GAME_KIND:
            yield f"the {say.naming.kind(kind)}", kind == PLAYER_KIND
    inner = (each for block in step.blocks for each in block.walk())
    nodes: Iterable[Typed] = (condition, *(node for each in (step, *inner) for node in list_expressions(each.action)))
    for node in nodes:
        for part in node.walk():
            if not isinstance(part, Local | Stored) or not isinstance(present(part.type), Entity):
                continue
            phrase = say.phrase(part) if not any(isinstance(each, Variable) for each in part.walk()) else None
            if phrase is not None and not (phrase.items or phrase.where):
                yield phrase.words, present(part.type) == PLAYER


def _find_introduced(condition: Typed) -> Typed | None:
    """Return the thing or the list that a condition says to be there, or None for other conditions."""
    match condition:
        case Not():
            return None
        case Present(operand=Local() | Stored() as thing) if present(thing.type) != PLAYER:
            return thing
        case Aggregate(function="any", element=Variable(name=name), variable=variable, condition=None, source=source):
            is_list = isinstance(source, Local | Stored) and source.type != ListOf(PLAYER)
            return source if is_list and name == variable else None
    return None
