"""What binds a translation to the words that were translated: a digest of them, entry by entry."""

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
    """Return what a text is signed with: its entry, or its section of a page; all that the manifest says is one."""
    if path[0] == EDITION:
        return EDITION
    if path[0] == "pages" and path[2:3] == ("sections",):
        return f"pages.{path[1]}.{path[3]}"
    return ".".join(path[:2])


def compute_signatures(translation: Translation) -> dict[str, str]:
    """Return what everything that is translated is to be signed with, as its words are now.

    In the order of the rules.
    """
    there = list_source_texts(translation.original)
    held: dict[str, list[tuple[str, str]]] = {}
    for path, text in there.items():
        if path in translation.said:
            held.setdefault(find_unit(path), []).append((".".join(path), " ".join(text.split())))
    return {name: _read(compute_digest(sorted(words))[:DIGITS]) for name, words in held.items()}


def _read(hexadecimal: str) -> str:
    """Return a digest that begins with a letter no digit of it has.

    As YAML, digits around one `e` would be a number.
    """
    return _FIRST[int(hexadecimal[0], 16)] + hexadecimal[1:]


def list_unsigned(translation: Translation) -> Iterator[str]:
    """Yield what is translated and not signed, or signed when its words were others."""
    for name, wanted in compute_signatures(translation).items():
        signed = translation.reviewed.get(name)
        if signed is None or signed.text != wanted:
            yield name


def build_signing_edit(translation: Translation, name: str) -> Edit | None:
    """Return what signs an entry, in the edition's own file of words: the layer below is right about its own words.

    An entry that the layer below says as a whole is signed there the first time.
    """
    own = [text.file for path, text in translation.said.items() if find_unit(path) == name]
    first = name not in translation.reviewed
    file = max(own, key=translation.files.index) if first else translation.files[-1]
    layer = file.layer.__class__(file.layer.name, file.layer.folder, file.layer.manifest, (file.written,))
    return build_value_edit(layer, (REVIEWED, name), compute_signatures(translation)[name])
