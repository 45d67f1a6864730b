"""Plan what a PO file changes in a translation: the texts that are taken, the others, and the new file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path as File

from rulewright.authoring.translations.po_diagnostics import (
    PO_CONFLICT,
    PO_HEADER,
    PO_OUTDATED,
    PO_PROJECT,
    PO_UNKNOWN,
)
from rulewright.authoring.translations.read_po import PoEntry, PoFile, PoText, find_review_flag
from rulewright.authoring.translations.text_edits import write_translation
from rulewright.authoring.translations.translator_texts import (
    TranslatorText,
    find_prefix,
    join_text,
    list_translator_texts,
)
from rulewright.language.schema_shapes import ListOf
from rulewright.ruleset.editions.edition import WORDS
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.schema.translation_schema import find_text_shape
from rulewright.ruleset.translation.source_texts import Path
from rulewright.ruleset.translation.translation import TranslatedText, Translation, WordsFile, is_form
from rulewright.ruleset.translation.translation_signatures import compute_signatures, find_unit
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, RelatedSpan
from rulewright.source.diagnostics.suggestions import suggest_name
from rulewright.source.nodes import Mapping, Scalar
from rulewright.source.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class TranslationUpdate:
    """What a PO file changes in a translation.

    Attributes:
        file: The translation file of the edition, which may not exist yet.
        added: The addresses of texts that get a translation.
        changed: The addresses of texts that get another translation.
        signed: The entries that are signed anew.
        counts: How many entries of the PO file are not taken, by reason.
        diagnostics: The faults of the PO file and of its texts. With any error, nothing can be written.
        text: The text of the file before (None for a new file) and after, or None if it does not change.
    """

    file: File
    added: tuple[str, ...]
    changed: tuple[str, ...]
    signed: tuple[str, ...]
    counts: dict[str, int]
    diagnostics: tuple[Diagnostic, ...]
    text: tuple[str | None, str] | None

    @property
    def has_errors(self) -> bool:
        """Whether nothing can be written."""
        return any(each.severity == "error" for each in self.diagnostics)


def plan_translation(translation: Translation, po: PoFile) -> TranslationUpdate:
    """Return what a PO file changes in a translation. Nothing is written.

    Entries that need a review, are empty, outdated or unknown are not taken. A signature stays valid when a text is
    added to its entry. An outdated entry is signed if none of its texts needs a review any more. Raises
    `RulewrightError` if the translation file cannot take the texts.
    """
    diagnostics = Diagnostics()
    _check_header(translation, po, diagnostics)
    choice = _choose_texts(translation, po, diagnostics)
    merged = replace(translation, texts={**translation.texts, **choice.texts})
    _check_conflicts(choice.texts, merged, diagnostics)
    if choice.texts and not diagnostics.errors:
        word_faults = Diagnostics()
        lint_words(merged.ruleset, word_faults)
        diagnostics.extend(each for each in word_faults if each.span.file == po.name)
    signatures = _sign(translation, merged, choice.agreed)
    is_change = not diagnostics.errors and bool(choice.texts or signatures)
    file, folder = translation.own_file, translation.original.resolved.layers[-1].folder
    return TranslationUpdate(
        file.path if file is not None else folder / WORDS / f"{translation.language.tag}.yaml",
        tuple(".".join(path) for path in choice.texts if path not in translation.texts),
        tuple(".".join(path) for path in choice.texts if path in translation.texts),
        tuple(signatures),
        choice.counts,
        tuple(sorted(diagnostics, key=lambda each: each.span)),
        write_translation(translation, choice.texts, signatures) if is_change else None,
    )


@dataclass(frozen=True, slots=True)
class _Choice:
    """The texts that are taken, the paths whose translation is certain, and how many entries are not taken."""

    texts: dict[Path, TranslatedText]
    agreed: set[Path]
    counts: dict[str, int]


def _choose_texts(translation: Translation, po: PoFile, diagnostics: Diagnostics) -> _Choice:
    """Return which texts to take. Entries for no text, and for an older one, are reported."""
    review = find_review_flag()
    choice = _Choice({}, set(), dict.fromkeys(("unchanged", review, "empty", "outdated", "unknown"), 0))
    known = list_translator_texts(translation)
    nothing = Mapping({}, Span.for_file(po.name))
    file = WordsFile(translation.original.resolved.layers[-1], File(po.name), nothing, nothing)
    for address, entry in _list_entries(po, diagnostics):
        path = tuple(address.split("."))
        text = known.get(address) or _find_form(path, translation)
        new = _read_text(path, entry.translated, file)
        translated = join_text(new)
        if text is None or entry.plural is not None:
            _report_unknown(entry, address, known, diagnostics)
            choice.counts["unknown"] += 1
        elif entry.needs_review or not translated:
            choice.counts[review if entry.needs_review else "empty"] += 1
        elif text.original and entry.original.text.split() != text.original.split():
            choice.counts["outdated"] += 1
            if translated != text.translated:
                message = f"the text of `{address}` is now “{_shorten(text.original)}”"
                diagnostics.add(PO_OUTDATED, message, entry.original.span)
        else:
            choice.agreed.add(path)
            if translated == text.translated:
                choice.counts["unchanged"] += 1
            else:
                choice.texts[path] = new
    return choice


def _check_header(translation: Translation, po: PoFile, diagnostics: Diagnostics) -> None:
    """Report a header for another language, encoding or ruleset. Fields that are missing are not needed."""
    language = translation.language
    nowhere = "", Span.for_file(po.name)
    tag, span = po.headers.get("language", nowhere)
    if tag and tag.replace("_", "-").lower() != language.tag.lower():
        message = f"this file is for the language `{tag}`, not for {language.english} (`{language.tag}`)"
        diagnostics.add(PO_HEADER, message, span)
    kind, span = po.headers.get("content-type", nowhere)
    charset = kind.partition("charset=")[2].strip().lower()
    if charset not in ("", "charset", "utf-8", "utf8", "us-ascii", "ascii"):
        hint = "convert the file, for example with `msgconv --to-code=UTF-8`"
        message = f"the header says that the file is in {charset}, but Rulewright reads UTF-8"
        diagnostics.add(PO_HEADER, message, span, suggestion=hint)
    project, span = po.headers.get("project-id-version", nowhere)
    name = translation.original.reference.partition("@")[0]
    if project and project.split()[0].partition("@")[0] not in (name, "PACKAGE"):
        diagnostics.add(PO_PROJECT, f"this file is for `{project}`, not for `{name}`", span)


def _list_entries(po: PoFile, diagnostics: Diagnostics) -> Iterator[tuple[str, PoEntry]]:
    """Yield the entries by address, which is empty if they have none. Two entries of an address are reported."""
    first: dict[str, PoText] = {}
    for entry in po.entries:
        address = entry.context.text if entry.context is not None else ""
        if entry.context is not None and (other := first.setdefault(address, entry.context)) is not entry.context:
            message, related = f"there is another entry for `{address}`", RelatedSpan(other.span, "the first one")
            diagnostics.add(PO_CONFLICT, message, entry.context.span, related=[related])
        yield address, entry


def _find_form(path: Path, translation: Translation) -> TranslatorText | None:
    """Return a text that only the translation would have, without an original, or None if it may not have it."""
    if find_text_shape(path) is None or not is_form(path, translation.original):
        return None
    return TranslatorText(path, "", "", False)


def _report_unknown(entry: PoEntry, address: str, known: dict[str, TranslatorText], diagnostics: Diagnostics) -> None:
    """Report an entry that is for no text of the rules."""
    if entry.context is None:
        message, hint = "this entry has no `msgctxt`", "add the address of the text, such as `terms.pot.name`"
        diagnostics.add(PO_UNKNOWN, message, entry.original.span, suggestion=hint)
    elif entry.plural is not None:
        message = f"`{address}` has plural forms, but each form of a word is a text of its own in the rules"
        diagnostics.add(PO_UNKNOWN, message, entry.plural.span)
    else:
        message = f"the rules have no text at `{address}`"
        diagnostics.add(PO_UNKNOWN, message, entry.context.span, suggestion=suggest_name(address, known))


def _read_text(path: Path, text: PoText, file: WordsFile) -> TranslatedText:
    """Return the translation in an entry, which is a list of lines in some places."""
    if not isinstance(find_text_shape(path), ListOf):
        return TranslatedText((text,), file, is_list=False)
    lines = [line.strip() for line in text.text.split("\n")]
    return TranslatedText(tuple(Scalar(line, line, text.span) for line in lines if line), file, is_list=True)


def _check_conflicts(texts: dict[Path, TranslatedText], merged: Translation, diagnostics: Diagnostics) -> None:
    """Report new texts that continue the path of another text, or are in the place of several."""
    for path in merged.texts:
        prefix = find_prefix(path, merged.texts)
        if prefix is not None and (path in texts or prefix in texts):
            message = f"`{'.'.join(prefix)}` and `{'.'.join(path)}` exclude each other"
            diagnostics.add(PO_CONFLICT, message, texts[path if path in texts else prefix].span)


def _sign(translation: Translation, merged: Translation, agreed: set[Path]) -> dict[str, str]:
    """Return the new signatures of entries.

    These are entries whose signature was valid, and those of which the PO file has all translations, none of
    which needs a review or is outdated.
    """
    before, after = compute_signatures(translation), compute_signatures(merged)
    unsure = {find_unit(path) for path in merged.texts if path not in agreed}
    return {
        name: signature
        for name, signature in after.items()
        if (signed := translation.reviewed.get(name)) is not None
        and signed.text != signature
        and (signed.text == before.get(name) or name not in unsure)
    }


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"
