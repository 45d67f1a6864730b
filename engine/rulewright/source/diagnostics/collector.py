"""The collection of diagnostics, and the exception that carries them to the caller."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rulewright.base.errors import RulewrightError, replace_surrogates
from rulewright.source.diagnostics.diagnostic import CODES, Code, Diagnostic, Edit, RelatedSpan, Severity, apply_edits
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

__all__ = ["CODES", "Code", "Diagnostic", "DiagnosticError", "Diagnostics", "Edit", "RelatedSpan", "Severity"]


class DiagnosticError(RulewrightError):
    """Rules that cannot be loaded: an error in them, no such edition or version, or another digest.

    `diagnostics` holds every diagnostic that was found, including warnings, and `str()` returns them as text. Some
    faults only appear after others are fixed.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        # Imported here because most errors are rendered by the caller, in the format the user asked for.
        from rulewright.source.diagnostics.formats import text

        return replace_surrogates(text.render(self.diagnostics).rstrip("\n"))


TOO_MANY_ERRORS = Code(
    "too-many-errors",
    "Too many errors to list",
    "This many errors usually have one cause.",
    "Fix the first few and check again.",
)


class TooManyErrors(RulewrightError):  # noqa: N818 (it only ends a check)
    """An exception raised at the limit of errors. The remaining errors appear after the first ones are fixed."""


class Diagnostics:
    """An ordered collection to which checks add their diagnostics.

    >>> found = Diagnostics()
    >>> found.errors, found.warnings
    ((), ())
    """

    __slots__ = ("_diagnostics", "_errors", "_most", "_sorted")

    def __init__(self, diagnostics: Iterable[Diagnostic] = ()) -> None:
        self._most: int | None = None
        self._diagnostics: list[Diagnostic] = list(diagnostics)
        # The errors among the first `_sorted` diagnostics, cached because every check asks for the errors.
        self._errors: tuple[Diagnostic, ...] = ()
        self._sorted = 0

    def add(
        self,
        code: Code,
        message: str,
        span: Span,
        *,
        related: Iterable[RelatedSpan] = (),
        suggestion: str | None = None,
        edits: Iterable[Edit] = (),
        examples: Iterable[str] = (),
    ) -> Diagnostic:
        """Add a diagnostic and return it. Raises `TooManyErrors` at the limit of `limit_errors`.

        Raises `TypeError` for an argument of another type, and `ValueError` if edits overlap, are outside the text of
        their file, or are in a file that does not exist.
        """
        diagnostic = Diagnostic(code, message, span, tuple(related), suggestion, tuple(edits), tuple(examples))
        for file in dict.fromkeys(edit.span.file for edit in diagnostic.edits):
            text = SOURCES.find_text(file)
            if text is None:
                if not file.startswith("<") and not Path(file).is_file():
                    raise ValueError(f"an edit is in {file}, which does not exist")
            else:
                apply_edits(text, dict.fromkeys(edit for edit in diagnostic.edits if edit.span.file == file))
        self._record(diagnostic)
        return diagnostic

    def _record(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic.

        At the limit of errors, add `too-many-errors` in place of an error and raise `TooManyErrors`.
        """
        if self._most is not None and diagnostic.severity == "error" and len(self.errors) >= self._most:
            message = f"checking stopped here after {len(self.errors)} errors"
            self._diagnostics.append(Diagnostic(TOO_MANY_ERRORS, message, diagnostic.span))
            raise TooManyErrors(message)
        self._diagnostics.append(diagnostic)

    @contextmanager
    def limit_errors(self, errors: int) -> Iterator[None]:
        """Raise `TooManyErrors` in the block if an error is added when there are `errors` errors already.

        A `too-many-errors` diagnostic is recorded in place of that error. Errors from before the block count too. The
        limit saves time, because each error takes some to describe.
        """
        self._most = errors
        try:
            yield
        finally:
            self._most = None

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add diagnostics from elsewhere, such as those of a caught `DiagnosticError`."""
        for diagnostic in diagnostics:
            self._record(diagnostic)

    def replace(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Replace all diagnostics, if a later one makes earlier ones pointless."""
        self._diagnostics = list(diagnostics)
        self._errors, self._sorted = (), 0

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that make the source unusable, in the order found."""
        if self._sorted < len(self._diagnostics):
            new = tuple(d for d in self._diagnostics[self._sorted :] if d.severity == "error")
            if new:
                self._errors += new
            self._sorted = len(self._diagnostics)
        return self._errors

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that leave the source usable, in the order found."""
        return tuple(d for d in self._diagnostics if d.severity == "warning")

    def raise_if_errors(self) -> None:
        """Raise `DiagnosticError` with all diagnostics if any of them is an error."""
        if self.errors:
            raise DiagnosticError(self._diagnostics)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._diagnostics)

    def __len__(self) -> int:
        return len(self._diagnostics)
