"""What `check` writes: the changes that diagnostics propose (`--fix`), and signs of texts that were read (`--sign`)."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from rulewright.errors import RulewrightError
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.words.outdated import Describe, is_signed
from rulewright.source.diagnostics.diagnostic import Diagnostic, applied
from rulewright.source.files.reading import read_bytes_as_text
from rulewright.source.files.writing import replace_text
from rulewright.studio.publishing.mending import Answer, Finding, Mending, Texts
from rulewright.studio.publishing.signing import Waiting, shown, signature_of, texts_of, waiting


def fixing(check: Callable[[], Finding], folders: Collection[Path], *, everything: bool) -> Mending:
    """What makes the changes that diagnostics propose; it asks about each, or takes all (`everything`)."""

    def agree(diagnostic: Diagnostic, changed: Texts) -> Answer:
        nonlocal everything
        _show_change(diagnostic, changed)
        if everything:
            return "yes"
        answer = asked("change it? [y]es, [n]o, [a]ll, [q]uit: ")
        everything = answer == "a"
        if answer in ("q", ""):
            return "enough"
        return "yes" if answer in ("y", "a") else "no"

    def write(texts: Mapping[str, str]) -> None:
        for file, text in texts.items():
            replace_text(Path(file), text)

    return Mending(check, folders, agree, write, lambda diagnostic, why: print(f"taken back, {why}"))


def _show_change(diagnostic: Diagnostic, changed: Texts) -> None:
    print(f"{diagnostic.severity}[{diagnostic.code.id}]: {diagnostic.message}")
    for file, (before, after) in changed.items():
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), file, file, lineterm="", n=2)
        print("\n".join(f"  {line}" for line in lines))


def asked(question: str) -> str:
    """The first letter of an answer, small; nothing at the end of the input."""
    print(question, end="", flush=True)
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        print()
    return line.strip()[:1].casefold() or ("" if not line else "n")


def sign(
    load: Callable[[], Ruleset],
    names: Sequence[str],
    describer: Callable[[Ruleset], Describe],
    *,
    everything: bool,
    alone: bool = True,
) -> int:
    """Sign the texts named, such as `page.section`, or all that are outdated. Returns how many were signed.

    Asks about each unless `everything`. `load` reads the rules, and reads them anew after each signature: it may have
    moved the next one. Where there is nothing to sign, it says so, if nothing else is signed (`alone`).
    Raises `RulewrightError` for a name that no text has.
    """
    ruleset = load()
    describe = describer(ruleset)
    left = waiting(ruleset, names)
    for name in names:
        if is_signed(texts_of(ruleset)[name], ruleset):
            print(f"{name}: nothing to sign, it is as somebody has read it")
    done = 0
    for name in left:
        _show(shown(name, ruleset, describe))
        answer = "y" if everything else asked("is the text still true? [y]es, sign it; [n]o; [a]ll; [q]uit: ")
        everything = everything or answer == "a"
        if answer in ("q", ""):
            break
        if answer in ("y", "a"):
            done += _write(name, load())
    if not left and not names and alone:
        print(f"nothing to sign: every text of {ruleset.reference} is as somebody has read it")
    return done


def _show(text: Waiting) -> None:
    print(f"{text.name}: {text.title}")
    print("\n".join(f"  | {line}" for line in text.text.splitlines()))
    if text.changed:
        print("  What changed since it was signed:")
    for each in text.changed:
        print(f"  {each}")
    print("  The rules say:")
    for each in text.explained:
        print(f"  {each}")


def _write(name: str, ruleset: Ruleset) -> int:
    """Sign one text."""
    edit = signature_of(name, ruleset)
    if edit is None:
        print("  there is no rules file to write the signature into: add one, such as rules.yaml")
        return 0
    file = Path(edit.span.file)
    if not file.is_file():
        raise RulewrightError(f"{file} is in an archive: unpack it, and sign the texts there")
    replace_text(file, applied(read_bytes_as_text(file), [edit]))
    print(f"  signed in {edit.span.file}, line {edit.span.line + edit.text.count(chr(10))}")
    return 1
