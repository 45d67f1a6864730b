"""The signing of translations, which shows each entry next to its translation."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence

from rulewright.base.errors import RulewrightError
from rulewright.cli.write_fixes import ask_letter, write_signature
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.source_texts import list_source_texts
from rulewright.ruleset.translation.translation import Translation, read_translations
from rulewright.ruleset.translation.translation_lint import lint_translations
from rulewright.ruleset.translation.translation_signatures import (
    build_signing_edit,
    compute_signatures,
    find_unit,
    list_unsigned,
)
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.files.unsaved_texts import as_first_read


def list_signable(ruleset: Ruleset) -> Collection[str]:
    """Return the names of the translated entries of an edition: `terms.card`, `pages.learn.aim`."""
    return frozenset(name for each in _translations(ruleset) for name in compute_signatures(each))


def sign_translations(load: Callable[[], Ruleset], names: Sequence[str], *, everything: bool) -> int:
    """Sign the named entries, or all unsigned ones, and return the number of signatures written.

    Asks about each entry unless `everything` is true. `load` reads the rules, and runs again after each signature,
    which changes the file. Raises `RulewrightError` if there is no place for a signature, and `DiagnosticError` for
    errors in a translation, such as an unknown placeholder.
    """
    done = 0
    with as_first_read() as read:
        first, faults = load(), Diagnostics()
        lint_translations(first, faults)
        faults.raise_if_errors()
        known = {each.language.tag: each for each in _translations(first)}
        left = deque(
            (tag, name) for tag, each in known.items() for name in list_unsigned(each) if not names or name in names
        )
        while left:
            if not known:
                read.forget()
                known = {each.language.tag: each for each in _translations(load())}
            tag, name = left[0]
            if tag not in known or name not in list_unsigned(known[tag]):
                left.popleft()  # signed by another process
                continue
            _show(known[tag], name)
            answer = "y" if everything else ask_letter("do they say the same? [y]es, sign it; [n]o; [a]ll; [q]uit: ")
            everything = everything or answer == "a"
            if answer in ("q", ""):
                break
            if answer in ("y", "a"):
                edit = build_signing_edit(known[tag], name)
                if edit is None:
                    raise RulewrightError(f"no file can take the signature of `{name}`")
                known = {}  # the positions in the file have changed
                if not write_signature(edit):
                    continue
                done += 1
            left.popleft()
    return done


def _translations(ruleset: Ruleset) -> list[Translation]:
    diagnostics = Diagnostics()
    translations = read_translations(ruleset, diagnostics)
    diagnostics.raise_if_errors()
    return translations


def _show(translation: Translation, name: str) -> None:
    print(f"{name}, in {translation.language.english}:")
    for path, text in list_source_texts(translation.original).items():
        if path in translation.texts and find_unit(path) == name:
            theirs = "\n".join(line.text.strip() for line in translation.texts[path].lines)
            print("\n".join(f"  | {line}" for line in text.splitlines()))
            print("\n".join(f"  > {line}" for line in theirs.splitlines()))
