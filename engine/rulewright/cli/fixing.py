"""What `check` writes: the changes that diagnostics propose (`--fix`), and signs of texts that were read (`--sign`)."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.errors import RulewrightError
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.pages import Section
from rulewright.ruleset.words.altered import altered
from rulewright.ruleset.words.outdated import Describe, is_newer, is_signed, signed
from rulewright.ruleset.words.signature import noticed
from rulewright.source.diagnostics.diagnostic import Diagnostic, applied
from rulewright.source.diagnostics.suggest import did_you_mean
from rulewright.source.files.reading import read_bytes_as_text
from rulewright.source.files.writing import replace_text

Finding = tuple[Sequence[Diagnostic], frozenset[str]]
"""What a check found, and the editions that are sound."""

MOST_ROUNDS = 50
"""Rounds of changes, each after a look at what the last one did: a bound, for changes that would undo each other."""


@dataclass(slots=True)
class Fixing:
    """Asks about each change, or takes all (`everything`). Only files in `folders` are changed."""

    check: Callable[[], Finding]
    folders: Collection[Path]
    everything: bool
    made: int = 0
    refused: set[tuple[str, str]] = field(default_factory=set)
    stopped: bool = False
    found: Sequence[Diagnostic] = ()
    """What was wrong before the change that is being made."""

    def run(self) -> int:
        """Change what may be changed, until nothing more is proposed. Returns the number of changes made."""
        for _ in range(MOST_ROUNDS):
            self.found, sound = self.check()
            proposed = [each for each in _errors_first(self.found) if self._may_change(each)]
            agreed = [each for each in proposed if self._agreed(each)]
            if not agreed:
                break
            if not self._make(agreed, sound) and len(agreed) > 1:
                for each in agreed:
                    self._make([each], sound)
            if self.stopped:
                break
        return self.made

    def _may_change(self, diagnostic: Diagnostic) -> bool:
        return (
            bool(diagnostic.edits)
            and _key(diagnostic) not in self.refused
            and all(self._is_ours(Path(edit.span.file)) for edit in diagnostic.edits)
        )

    def _is_ours(self, file: Path) -> bool:
        return file.is_file() and any(file.resolve().is_relative_to(folder.resolve()) for folder in self.folders)

    def _agreed(self, diagnostic: Diagnostic) -> bool:
        """Show what would be changed, and ask."""
        if self.stopped:
            return False
        changed = _changed([diagnostic])
        print(f"{diagnostic.severity}[{diagnostic.code.id}]: {diagnostic.message}")
        for file, (before, after) in changed.items():
            lines = difflib.unified_diff(before.splitlines(), after.splitlines(), file, file, lineterm="", n=2)
            print("\n".join(f"  {line}" for line in lines))
        if self.everything:
            return True
        answer = asked("change it? [y]es, [n]o, [a]ll, [q]uit: ")
        self.everything = answer == "a"
        self.stopped = answer in ("q", "")
        if answer not in ("y", "a"):
            self.refused.add(_key(diagnostic))
        return answer in ("y", "a")

    def _make(self, diagnostics: Sequence[Diagnostic], sound: frozenset[str]) -> bool:
        """Make these changes; take them back where they leave something unsound that was sound, or mend nothing."""
        try:
            changed = _changed(diagnostics)
        except ValueError:  # two of them change the same place: one after the other
            return False
        for file, (_, after) in changed.items():
            replace_text(Path(file), after)
        known = {_key(each) for each in self.found}
        found, still = self.check()
        left = {_key(each) for each in found}
        if sound <= still and not any(_key(each) in left for each in diagnostics):
            self.made += len(diagnostics)
            self.found = found
            return True
        for file, (before, _) in changed.items():
            replace_text(Path(file), before)
        if len(diagnostics) == 1:
            self.refused.add(_key(diagnostics[0]))
            print(f"taken back, {_reason(diagnostics[0], found, known)}")
        return False


def asked(question: str) -> str:
    """The first letter of an answer, small; nothing at the end of the input."""
    print(question, end="", flush=True)
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        print()
    return line.strip()[:1].casefold() or ("" if not line else "n")


def _changed(diagnostics: Iterable[Diagnostic]) -> dict[str, tuple[str, str]]:
    """The files that the edits change: their text before and after. Raises `ValueError` for edits that meet."""
    edits = dict.fromkeys(edit for each in diagnostics for edit in each.edits)
    found = {}
    for file in dict.fromkeys(edit.span.file for edit in edits):
        before = read_bytes_as_text(file)
        found[file] = (before, applied(before, [edit for edit in edits if edit.span.file == file]))
    return found


def _reason(made: Diagnostic, found: Iterable[Diagnostic], known: Collection[tuple[str, str]]) -> str:
    """Why a change was taken back: what mends one thing may bring another to light, in rules that were sound."""
    new = next((each for each in found if each.severity == "error" and _key(each) not in known), None)
    if new is None:
        return f"since it does not help alone: {made.message}"
    return f"since it would break what is sound, so make it yourself and mend what follows: {new.message}"


def _errors_first(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(found, key=lambda each: each.severity != "error")


def _key(diagnostic: Diagnostic) -> tuple[str, str]:
    return diagnostic.code.id, diagnostic.message


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
    sections = {f"{section.page}.{section.id}": section for page in ruleset.pages.values() for section in page.sections}
    for name in names:
        if name not in sections:
            hint = did_you_mean(name, sections)
            raise RulewrightError(f"{ruleset.reference} has no text `{name}`" + (f": {hint}" if hint else ""))
        if is_signed(sections[name], ruleset):
            print(f"{name}: nothing to sign, it is as somebody has read it")
    outdated = [
        name
        for name, section in sections.items()
        if (section.reviewed is not None and not is_newer(section, ruleset)) or ruleset.status == "released"
    ]
    waiting = [name for name in (names or outdated) if not is_signed(sections[name], ruleset)]
    done = 0
    for name in waiting:
        _show(name, sections[name], ruleset, describe)
        answer = "y" if everything else asked("is the text still true? [y]es, sign it; [n]o; [a]ll; [q]uit: ")
        everything = everything or answer == "a"
        if answer in ("q", ""):
            break
        if answer in ("y", "a"):
            done += _write(name, load())
    if not waiting and not names and alone:
        print(f"nothing to sign: every text of {ruleset.reference} is as somebody has read it")
    return done


def _show(name: str, section: Section, ruleset: Ruleset, describe: Describe) -> None:
    from rulewright.book.style.placeholders import fill
    from rulewright.book.style.style import Style

    style = Style(ruleset)
    print(f"{name}: {fill(section.title, style)}")
    print("\n".join(f"  | {line}" for line in fill(section.text, style).splitlines()))
    changes = {each.path: each for each in altered(section, ruleset)}
    explained = dict.fromkeys((*(path.text for path in section.explains), *noticed(section, ruleset).lists))
    parts = [each for path, each in changes.items() if path not in explained]
    if parts:
        print("  What changed since it was signed:")
    for each in parts:
        print(f"  {each.path} ({each.how})" + ("" if each.gone else f":{_below(describe(each.path))}"))
    print("  The rules say:")
    for path in explained:
        how = f" ({changes[path].how})" if path in changes else ""
        print(f"  {path}{how}:{_below(describe(path))}")


def _below(lines: Sequence[str]) -> str:
    """A description behind its head, or below it where it has several lines."""
    return "".join(f"\n    {line}" for line in lines) if len(lines) > 1 else "".join(f" {line}" for line in lines)


def _write(name: str, ruleset: Ruleset) -> int:
    """Sign one text."""
    section = next(s for page in ruleset.pages.values() for s in page.sections if f"{s.page}.{s.id}" == name)
    for edit in signed(section, ruleset):
        file = Path(edit.span.file)
        if not file.is_file():
            raise RulewrightError(f"{file} is in an archive: unpack it, and sign the texts there")
        replace_text(file, applied(read_bytes_as_text(file), [edit]))
        print(f"  signed in {edit.span.file}, line {edit.span.line + edit.text.count(chr(10))}")
        return 1
    print("  there is no rules file to write the signature into: add one, such as rules.yaml")
    return 0
