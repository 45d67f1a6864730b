"""Notes for translators: what a text is for, and what its placeholders stand for."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.narration.plain_names import Names
from rulewright.language.schema_shapes import ListOf
from rulewright.ruleset.prose.placeholder_meaning import Nothing, TermWord, Verbatim, resolve_placeholder
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.schema.translation_schema import find_text_shape
from rulewright.ruleset.translation.source_texts import Path
from rulewright.ruleset.translation.translation import Translation


def list_notes(path: Path, original: str, translation: Translation) -> Iterator[str]:
    """Yield what a text is for, and what each of its placeholders stands for."""
    shape = find_text_shape(path)
    if path[::2] == ("terms", "forms"):
        yield f"The form `{path[3]}` of the word, which `{{{path[1]}.{path[3]}}}` inserts."
    elif shape is not None and shape.doc:
        yield shape.doc
    if isinstance(shape, ListOf):
        yield "A list: each line is one item."
    for body in dict.fromkeys(part.body for part in parse_parts(original) if isinstance(part, Placeholder)):
        yield f"{{{body}}}: {_describe_placeholder(body, translation)}"


def _describe_placeholder(body: str, translation: Translation) -> str:
    """Return what a placeholder stands for, with the forms that the translation may use in its place."""
    match resolve_placeholder(body, translation.original):
        case TermWord(term=term, form=form):
            translated = translation.ruleset.declarations.terms[term.id]
            forms = [f"{{{term.id}{each and f'.{each}'}}}" for each in ("", "plural", *translated.forms)]
            others = ", ".join(each for each in forms if each != f"{{{body}}}")
            name = f"“{term.name}”" + (f" (“{translated.name}”)" if translated.name != term.name else "")
            of = {"name": "the word", "plural": "the plural of the word", "icon": "the icon of the word"}
            return f"{of.get(form, f'the {form} of the word')} {name}; or use {others}"
        case Verbatim(words=words) if body[0] in "'\"":
            return f"literally “{words}”; translate the words between the quotation marks"
        case Nothing():
            return "filled in during play"
        case _:
            return f"“{Names(translation.original).format_words(f'{{{body}}}')}”"
