"""Signing translations: what an entry says now beside what it says in another language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from rulewright.cli.fixing import asked
from rulewright.errors import RulewrightError
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.originals import originals
from rulewright.ruleset.translation.signing import signatures, signed, unit, unsigned
from rulewright.ruleset.translation.translation import Translation, translations
from rulewright.source.diagnostics.collected import Diagnostics
from rulewright.source.diagnostics.diagnostic import applied
from rulewright.source.files.reading import read_bytes_as_text
from rulewright.source.files.writing import replace_text


def names_of_translations(ruleset: Ruleset) -> Collection[str]:
    """What can be signed of an edition in other languages: `terms.card`, `pages.learn.aim`."""
    return frozenset(name for each in _translations(ruleset) for name in signatures(each))


def sign_translations(load: Callable[[], Ruleset], names: Sequence[str], *, everything: bool) -> int:
    """Sign the entries named, or all that nobody has signed as their words are now. Returns how many were signed.

    Asks about each unless `everything`. `load` reads the rules.
    """
    done, ruleset = 0, load()
    for translation in _translations(ruleset):
        waiting = [name for name in unsigned(translation) if not names or name in names]
        for name in waiting:
            _show(translation, name)
            answer = "y" if everything else asked("do they say the same? [y]es, sign it; [n]o; [a]ll; [q]uit: ")
            everything = everything or answer == "a"
            if answer in ("q", ""):
                return done
            if answer in ("y", "a"):
                _write(ruleset, translation.language.tag, name)
                done += 1
    return done


def _translations(ruleset: Ruleset) -> list[Translation]:
    found = Diagnostics()
    made = translations(ruleset, found)
    found.raise_if_errors()
    return made


def _show(translation: Translation, name: str) -> None:
    print(f"{name}, in {translation.language.english}:")
    for path, text in originals(translation.original).items():
        if path in translation.said and unit(path) == name:
            theirs = "\n".join(line.text.strip() for line in translation.said[path].lines)
            print("\n".join(f"  | {line}" for line in text.splitlines()))
            print("\n".join(f"  > {line}" for line in theirs.splitlines()))


def _write(ruleset: Ruleset, tag: str, name: str) -> None:
    """Sign one entry. Its file is read anew: the signature before may have moved it."""
    translation = next(each for each in _translations(ruleset) if each.language.tag == tag)
    edit = signed(translation, name)
    if edit is None:
        raise RulewrightError(f"there is no place to write the signature of `{name}` into")
    file = Path(edit.span.file)
    if not file.is_file():
        raise RulewrightError(f"{file} is in an archive: unpack it, and sign the texts there")
    replace_text(file, applied(read_bytes_as_text(file), [edit]))
    print(f"  signed in {file}")
