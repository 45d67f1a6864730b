"""The changes that `check` writes to rules: suggested fixes (`--fix`) and signatures of reviewed texts (`--sign`)."""

from __future__ import annotations

import difflib
import sys
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from rulewright.authoring.apply_fixes import Answer, Finding, FixResult, Texts
from rulewright.authoring.sign_texts import UnsignedText, build_signature, build_waiting, list_waiting, map_texts
from rulewright.base.errors import RulewrightError
from rulewright.ruleset.prose.stale_texts import Describe, is_signed
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.diagnostic import Diagnostic, Edit, apply_edits
from rulewright.source.files.atomic_write import ChangedError, replace_texts
from rulewright.source.files.safe_read import read_bytes_as_text
from rulewright.source.files.unsaved_texts import as_first_read


def fix(check: Callable[[], Finding], folders: Collection[Path], *, everything: bool) -> FixResult:
    """Apply the changes that diagnostics suggest to files in `folders`, and return the result.

    Prints each change, and asks about it unless `everything` is true; the author may stop. Changes that concern other
    files are not offered. Accepted changes are tried on the files as first read, together and if necessary one by one,
    and written only if they help. If another process has changed a file in the meantime, nothing is written for that
    change, and the check starts again.

    Args:
        check: Checks everything again. Called before and after each trial.
        folders: The folders with the files that may be changed. `check` may add to them.
        everything: Whether to apply all changes without asking.

    Raises:
        OSError: A file could not be written. Others may have been written before.
    """

    def agree(diagnostic: Diagnostic, changed: Texts) -> Answer:
        """Show a change, and ask about it unless all are accepted. The end of the input is "enough"."""
        nonlocal everything
        _show_change(diagnostic, changed)
        if everything:
            return "yes"
        answer = ask_letter("change it? [y]es, [n]o, [a]ll, [q]uit: ")
        everything = answer == "a"
        if answer in ("q", ""):
            return "enough"
        return "yes" if answer in ("y", "a") else "no"

    def write(texts: Mapping[str, str]) -> None:
        for file, text in texts.items():
            read.put(file, text)

    def keep(texts: Texts) -> bool:
        """Write the files. Return False, and read everything again, if another process has changed one."""
        try:
            replace_texts({Path(file): both for file, both in texts.items()})
        except ChangedError as error:
            print(f"{error.path} changed in the meantime: checking everything again")
            read.forget()
            return False
        return True

    with as_first_read() as read:
        result = FixResult(check, folders, agree, write, lambda diagnostic, why: print(f"undone: {why}"), keep)
        result.run()
    return result


def _show_change(diagnostic: Diagnostic, changed: Texts) -> None:
    print(f"{diagnostic.severity}[{diagnostic.code.id}]: {diagnostic.message}")
    for file, (before, after) in changed.items():
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), file, file, lineterm="", n=2)
        print("\n".join(f"  {line}" for line in lines))


_MOST_NAMED = 6
"""The maximum number of unsigned texts that a message names."""


def ask_letter(question: str) -> str:
    """Ask a question and return the first letter of the answer in lower case.

    An empty line means `n`. At the end of the input, the answer is empty.
    """
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
    """Sign the named texts, such as `page.section`, or all outdated ones, and return the number of signatures written.

    Asks about each text unless `everything` is true. `load` reads the rules, and runs again after each signature, which
    may move the next text. A signature covers exactly the text shown. If its file has changed in the meantime, the text
    is shown again. With `alone`, a message reports if there is nothing to sign. Raises `RulewrightError` for an unknown
    name.
    """
    with as_first_read() as read:
        first = load()
        ruleset: Ruleset | None = first
        left = deque(list_waiting(first, names))
        none = not left
        for name in names:
            if is_signed(map_texts(first)[name], first):
                print(f"{name}: already signed")
        done = 0
        while left:
            if ruleset is None:
                read.forget()
                ruleset = load()
            name = left[0]
            if name not in map_texts(ruleset) or is_signed(map_texts(ruleset)[name], ruleset):
                left.popleft()  # signed by another process
                continue
            _show(build_waiting(name, ruleset, describer(ruleset)))
            answer = (
                "y" if everything else ask_letter("is the text still correct? [y]es, sign it; [n]o; [a]ll; [q]uit: ")
            )
            everything = everything or answer == "a"
            if answer in ("q", ""):
                break
            if answer in ("y", "a"):
                edit = build_signature(name, ruleset)
                if edit is None:
                    print("  there is no rules file for the signature: create one, such as rules.yaml")
                else:
                    ruleset = None  # the text has changed
                    if not write_signature(edit):
                        continue
                    done += 1
            left.popleft()
    if none and not names and alone:
        print(f"nothing to sign: {_describe_unsigned(first)}")
    return done


def _describe_unsigned(ruleset: Ruleset) -> str:
    """Return why no text is signed without its name, with the names of texts of a draft that never were signed."""
    new = list_waiting(ruleset, released=True)
    if not new:
        return f"every text of {ruleset.reference} is signed"
    named = " ".join(new[:_MOST_NAMED])
    more = f" … and {len(new) - _MOST_NAMED} more" if len(new) > _MOST_NAMED else ""
    return f"no signed text of {ruleset.reference} is outdated; to sign new texts, list them after REF: {named}{more}"


def _show(text: UnsignedText) -> None:
    print(f"{text.name}: {text.title}")
    print("\n".join(f"  | {line}" for line in text.text.splitlines()))
    if text.changed:
        print("  What changed since it was signed:")
    for each in text.changed:
        print(f"  {each}")
    print("  The rules say:")
    for each in text.explained:
        print(f"  {each}")


def write_signature(edit: Edit) -> bool:
    """Write a signature into the file as last read, and print the result.

    Returns False if the file has changed in the meantime. Raises `RulewrightError` if the file is in an archive.
    """
    file = Path(edit.span.file)
    if not file.is_file():
        raise RulewrightError(f"{file} is in an archive: unpack the archive and sign the texts there")
    before = read_bytes_as_text(file)
    try:
        replace_texts({file: (before, apply_edits(before, [edit]))})
    except ChangedError:
        print(f"  {file} changed in the meantime, so nothing was signed: try again")
        return False
    print(f"  signed in {edit.span.file}, line {edit.span.line + edit.text.count(chr(10))}")
    return True
