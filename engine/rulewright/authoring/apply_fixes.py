"""Apply the fixes that diagnostics propose, with the author's consent, and undo those that do harm."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rulewright.authoring.verify_fix import Texts as Texts  # re-exported for callers that pass `agree`
from rulewright.authoring.verify_fix import apply_changes, build_key, explain_harm, find_foreign_file
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.safe_read import read_bytes_as_text

Finding = tuple[Sequence[Diagnostic], frozenset[str]]
"""The diagnostics of a check, and the ids of the editions without errors."""

Answer = Literal["yes", "no", "enough"]

MOST_ROUNDS = 50
"""The maximum number of check-and-fix rounds, in case fixes undo each other."""


@dataclass(slots=True)
class FixResult:
    """A run that applies the fixes that the author agrees to. Only files in `folders` are changed.

    Attributes:
        check: Checks everything again.
        agree: Asks the author about one fix.
        write: Writes the texts of files, which may be a trial that is not saved.
        refuse: Is called for each fix that was undone, with the reason.
        keep: Saves fixes that helped. Returns False if a file has changed meanwhile. Then all answers are forgotten and
            everything is checked again.
        fix_count: How many fixes were applied.
        stopped: Whether the author asked to stop.
    """

    check: Callable[[], Finding]
    folders: Collection[Path]
    agree: Callable[[Diagnostic, Texts], Answer]
    write: Callable[[Mapping[str, str]], None]
    refuse: Callable[[Diagnostic, str], None] = lambda diagnostic, why: None
    keep: Callable[[Texts], bool] = lambda texts: True
    fix_count: int = 0
    refused: set[tuple[str, str]] = field(default_factory=set)
    accepted: set[tuple[str, str]] = field(default_factory=set)
    stopped: bool = False
    diagnostics: Sequence[Diagnostic] = ()
    """The diagnostics from before the current fix."""

    def run(self) -> int:
        """Apply fixes until none are left to propose, the author stops, or there were `MOST_ROUNDS` rounds.

        Returns how many were applied.
        """
        for _ in range(MOST_ROUNDS):
            self.diagnostics, sound = self.check()
            proposed = [each for each in _errors_first(self.diagnostics) if self._may_change(each)]
            agreed = [each for each in proposed if self._confirm(each)]
            if not agreed:
                break
            if self._make(agreed, sound) is False and len(agreed) > 1:
                self._make_one_by_one(agreed, sound)
            if self.stopped:
                break
        return self.fix_count

    def _make_one_by_one(self, agreed: Iterable[Diagnostic], sound: frozenset[str]) -> None:
        """Apply fixes one at a time. Other fixes of a file that has changed are left for the next round.

        Stops if another program has changed the files.
        """
        moved: set[str] = set()
        for each in agreed:
            files = {edit.span.file for edit in each.edits}
            if files & moved:
                continue  # its spans are outdated; the next round finds it again
            result = self._make([each], sound)
            if result is None:
                return
            if result:
                moved |= files

    def _may_change(self, diagnostic: Diagnostic) -> bool:
        """Return whether a diagnostic has edits, was not refused, and concerns only files that may be changed."""
        return (
            bool(diagnostic.edits)
            and build_key(diagnostic) not in self.refused
            and all(Path(edit.span.file).is_file() for edit in diagnostic.edits)
            and find_foreign_file(diagnostic, self.folders) is None
        )

    def list_foreign(self) -> list[str]:
        """Return a file outside of `folders` for each remaining fix that was not proposed because it changes one."""
        files = (find_foreign_file(each, self.folders) for each in self.diagnostics)
        return [file for file in files if file is not None]

    def _confirm(self, diagnostic: Diagnostic) -> bool:
        """Return whether to apply a fix. Asks the author with `agree`, unless that was answered before or is stopped.

        Remembers the answer, and stops everything after "enough".
        """
        if self.stopped:
            return False
        if build_key(diagnostic) in self.accepted:
            return True
        try:
            changes = _list_changes([diagnostic])
        except ValueError as error:  # the file has changed since, or the edits overlap
            self.refused.add(build_key(diagnostic))
            self.refuse(diagnostic, str(error))
            return False
        answer = self.agree(diagnostic, changes)
        self.stopped = answer == "enough"
        (self.accepted if answer == "yes" else self.refused).add(build_key(diagnostic))
        return answer == "yes"

    def _make(self, diagnostics: Sequence[Diagnostic], sound: frozenset[str]) -> bool | None:
        """Apply these fixes, and undo them if an edition becomes invalid or they do not help.

        Returns whether they were kept, or None if the files have changed meanwhile. Changes files, and records what was
        refused.
        """
        try:
            texts = _list_changes(diagnostics)
        except ValueError:  # overlapping edits must be applied one at a time
            return False
        self.write({file: after for file, (_, after) in texts.items()})
        result, still = self.check()
        spoilt = explain_harm(diagnostics, texts, self.diagnostics, result)
        if sound <= still and spoilt is None:
            if not self.keep(texts):
                self.accepted.clear()
                return None
            self.fix_count += len(diagnostics)
            self.diagnostics = result
            return True
        self.write({file: before for file, (before, _) in texts.items()})
        if len(diagnostics) == 1:
            self.refused.add(build_key(diagnostics[0]))
            known = {build_key(each) for each in self.diagnostics}
            broken = None if sound <= still else _broken(result, known)
            self.refuse(diagnostics[0], broken or spoilt or "it does not help on its own")
        return False


def _list_changes(diagnostics: Iterable[Diagnostic]) -> Texts:
    """Return the text before and after of each file that the edits change. Raises `ValueError` if edits overlap."""
    return apply_changes(diagnostics, read_bytes_as_text)


def _broken(diagnostics: Iterable[Diagnostic], known: Collection[tuple[str, str]]) -> str | None:
    """Return why a fix was undone: the first error that it brought to light, or None if there is no new error."""
    new = next((each for each in diagnostics if each.severity == "error" and build_key(each) not in known), None)
    return (
        None
        if new is None
        else f"it would break valid rules, so make the change yourself and fix what follows: {new.message}"
    )


def _errors_first(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(diagnostics, key=lambda each: each.severity != "error")
