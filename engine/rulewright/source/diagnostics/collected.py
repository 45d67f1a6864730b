"""Collecting diagnostics, and the error that carries them to the caller."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.errors import RulewrightError
from rulewright.source.diagnostics.diagnostic import CODES, Code, Diagnostic, Edit, Related, Severity
from rulewright.source.span import Span

__all__ = ["CODES", "Code", "Diagnostic", "DiagnosticError", "Diagnostics", "Edit", "Related", "Severity"]


class DiagnosticError(RulewrightError):
    """The source has errors. `diagnostics` holds everything found, warnings included; `str()` is their text form."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        # Imported here because most errors are rendered by the caller, in the format the user asked for.
        from rulewright.source.diagnostics.formats import text

        return text.render(self.diagnostics).rstrip("\n")


class Diagnostics:
    """An ordered collection that checks add what they find to.

    >>> found = Diagnostics()
    >>> found.errors, found.warnings
    ((), ())
    """

    __slots__ = ("_found",)

    def __init__(self, found: Iterable[Diagnostic] = ()) -> None:
        self._found: list[Diagnostic] = list(found)

    def add(
        self,
        code: Code,
        message: str,
        span: Span,
        *,
        related: Iterable[Related] = (),
        suggestion: str | None = None,
        edits: Iterable[Edit] = (),
    ) -> Diagnostic:
        """Record one diagnostic and return it."""
        diagnostic = Diagnostic(code, message, span, tuple(related), suggestion, tuple(edits))
        self._found.append(diagnostic)
        return diagnostic

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Record diagnostics made elsewhere, such as those of a caught `DiagnosticError`."""
        self._found.extend(diagnostics)

    def replace(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Put others in place of all that was recorded, where a later finding makes earlier ones pointless."""
        self._found = list(diagnostics)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Those that make the source unusable, in the order found."""
        return tuple(d for d in self._found if d.severity == "error")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Those that do not stop anything, in the order found."""
        return tuple(d for d in self._found if d.severity == "warning")

    def raise_if_errors(self) -> None:
        """Raise `DiagnosticError` with everything found, if any of it is an error."""
        if self.errors:
            raise DiagnosticError(self._found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)
