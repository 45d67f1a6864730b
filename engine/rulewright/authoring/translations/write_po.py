"""Write the texts of a translation as a PO file."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path as File

from rulewright.authoring.translations.read_po import find_review_flag
from rulewright.authoring.translations.translator_notes import list_notes
from rulewright.authoring.translations.translator_texts import list_translator_texts
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.source_texts import Path, list_source_spans
from rulewright.ruleset.translation.translation import Translation
from rulewright.source.span import Span


def format_po(translation: Translation) -> str:
    """Return a PO file with all texts to translate, and their translations so far.

    The result has no date, so that it changes only with the texts. Raises `MissingExtraError` without the extra
    `translate`.
    """
    review = find_review_flag()
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import normalize, write_po

    ruleset, language = translation.original, translation.language
    tag = language.tag.replace("-", "_")
    catalog = Catalog(tag, charset="utf-8")
    spans = list_source_spans(ruleset)
    for address, text in list_translator_texts(translation).items():
        message = catalog.add(
            text.original,
            text.translated,
            context=address,
            auto_comments=list(list_notes(text.path, text.original, translation)),
            locations=[_find_place(text.path, spans, ruleset)],
        )
        # Babel marks texts with braces as Python formats, which must have the same braces in every language.
        message.flags = {review} if text.is_outdated else set()
    name, _, version = ruleset.reference.partition("@")
    header = {
        "Project-Id-Version": f"{name} {version}",
        "PO-Revision-Date": "YEAR-MO-DA HO:MI+ZONE",
        "Last-Translator": "FULL NAME <EMAIL@ADDRESS>",
        "Language-Team": language.english,
        "Language": tag,
        "Plural-Forms": catalog.plural_forms,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    fields = "".join(f"{key}: {value}\n" for key, value in header.items())
    body = BytesIO()
    write_po(body, catalog, omit_header=True)
    lines = [
        f"# {ruleset.reference} in {language.english}.",
        f"# To read this file back: rulewright translate {name} {language.tag} FILE.po",
        'msgid ""',
        f"msgstr {normalize(fields)}",
        "",
        body.getvalue().decode().rstrip("\n"),
    ]
    return "\n".join(lines) + "\n"


def _find_place(path: Path, spans: dict[Path, Span], ruleset: Ruleset) -> tuple[str, int]:
    """Return the file and line of a text, or of the nearest thing around it.

    The file is relative to the folder that has the edition's folder. A file elsewhere begins with its edition, so that
    no path of this machine is published.
    """
    span = next(spans[path[:depth]] for depth in range(len(path), 0, -1) if path[:depth] in spans)
    file, layers = File(span.file), ruleset.resolved.layers
    for root, prefix in [(layers[-1].folder.parent, ""), *((each.folder, f"{each.name}/") for each in layers)]:
        if file.is_relative_to(root):
            return prefix + file.relative_to(root).as_posix(), span.line
    return file.name, span.line
