"""`check --sign`: shows each text beside what the rules say now, and signs those that somebody has read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import indent

from rulewright.cli.fixing import asked
from rulewright.errors import RulewrightError
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.pages import Section
from rulewright.ruleset.words.altered import altered
from rulewright.ruleset.words.lint import Describe, is_newer, is_signed, signed
from rulewright.ruleset.words.signature import noticed
from rulewright.source.diagnostics.diagnostic import applied
from rulewright.source.diagnostics.suggest import did_you_mean
from rulewright.source.files.reading import read_bytes_as_text
from rulewright.source.files.writing import replace_text


def sign(
    load: Callable[[], Ruleset], names: Sequence[str], describer: Callable[[Ruleset], Describe], *, everything: bool
) -> int:
    """Sign the texts named, such as `page.section`, or all that are outdated. Returns how many were signed.

    Asks about each unless `everything`. `load` reads the rules, and reads them anew after each signature: it may have
    moved the next one. Raises `RulewrightError` for a name that no text has.
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
    if not waiting and not names:
        print(f"nothing to sign: every text of {ruleset.reference} is as somebody has read it")
    return done


def _show(name: str, section: Section, ruleset: Ruleset, describe: Describe) -> None:
    from rulewright.book.style.style import Style
    from rulewright.book.style.words import fill

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


def _below(said: str) -> str:
    """A description behind its head, or below it where it has several lines."""
    return "\n" + indent(said, "    ") if "\n" in said else f" {said}"


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
