"""Signatures of translations: digests of the original texts, by entry."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ruleset.layers.source_edits import build_value_edit
from rulewright.ruleset.schema.digest import compute_digest
from rulewright.ruleset.schema.translation_schema import EDITION, REVIEWED
from rulewright.ruleset.translation.source_texts import Path, list_source_texts
from rulewright.ruleset.translation.translation import Translation
from rulewright.source.diagnostics.diagnostic import Edit

DIGITS = 12
_FIRST = "ghijklmnopqrstuv"


def find_unit(path: Path) -> str:
    """Return the name of the unit with which a text is signed: its entry, its section of a page, or the whole manifest.

    Examples are `terms.guest`, `pages.learn.setup` and `edition`.
    """
    if path[0] == EDITION:
        return EDITION
    if path[0] == "pages" and path[2:3] == ("sections",):
        return f"pages.{path[1]}.{path[3]}"
    return ".".join(path[:2])


def compute_signatures(translation: Translation) -> dict[str, str]:
    """Return the current signature of each translated unit by its name, in the order of the rules.

    It is a digest of the originals of the unit's translated texts, so it also changes when another of them is
    translated. Units without a translated text are left out.
    """
    there = list_source_texts(translation.original)
    value: dict[str, list[tuple[str, str]]] = {}
    for path, text in there.items():
        if path in translation.texts:
            value.setdefault(find_unit(path), []).append((".".join(path), " ".join(text.split())))
    return {name: _read(compute_digest(sorted(words))[:DIGITS]) for name, words in value.items()}


def _read(hexadecimal: str) -> str:
    """Return a hexadecimal digest with its first digit replaced by a letter.

    Otherwise YAML could read digits around an `e` as a number.
    """
    return _FIRST[int(hexadecimal[0], 16)] + hexadecimal[1:]


def list_unsigned(translation: Translation) -> Iterator[str]:
    """Yield the translated units that are not signed, or whose original has changed since."""
    for name, signature in compute_signatures(translation).items():
        signed = translation.reviewed.get(name)
        if signed is None or signed.text != signature:
            yield name


def build_signing_edit(translation: Translation, name: str) -> Edit | None:
    """Return the edit that signs a unit, or None if the file cannot be edited. Changes no file.

    The edit is for the top layer's file, unless the unit was never signed. It is then for the topmost file that
    translates it. Raises `ValueError` or `KeyError` if no text of the unit is translated.
    """
    own = [text.file for path, text in translation.texts.items() if find_unit(path) == name]
    first = name not in translation.reviewed
    file = max(own, key=translation.files.index) if first else translation.files[-1]
    layer = file.layer.__class__(file.layer.name, file.layer.folder, file.layer.manifest, (file.written,))
    return build_value_edit(layer, (REVIEWED, name), compute_signatures(translation)[name])
