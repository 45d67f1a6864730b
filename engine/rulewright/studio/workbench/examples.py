"""The examples of every edition, as what one may start from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from rulewright.book.style.prose import plain_prose
from rulewright.book.style.style import Style
from rulewright.errors import RulewrightError
from rulewright.play.telling.names import Names
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.load import found
from rulewright.ruleset.reference import parse_reference
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.sections.examples import Example


@dataclass(slots=True, eq=False)
class Examples:
    """The examples of every edition, which take a moment to come by: looked for once, when somebody first asks."""

    known: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    _whole: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)
    _begun: bool = False

    def ask(self, catalogue: Catalogue, *, patience: float | None) -> bool:
        """Look for them, and wait as long; whether all are found."""
        with self._lock:
            if not self._begun:
                self._begun = True
                Thread(target=self._look, args=(catalogue,), name="examples", daemon=True).start()
        return self._whole.wait(patience)

    def _look(self, catalogue: Catalogue) -> None:
        try:
            for edition in startable(catalogue):
                with suppress(RulewrightError):
                    self.known[edition.id] = list(_examples(loaded(catalogue, edition.id)))
        finally:
            self._whole.set()


def startable(catalogue: Catalogue) -> list[Edition]:
    """What house rules can be laid over: the newest version of each first."""
    newest = [each for each in catalogue.editions() if each.status != "abstract"]
    newest.sort(key=lambda each: each.version, reverse=True)
    return sorted(newest, key=lambda each: (each.game, each.edition))


def loaded(catalogue: Catalogue, ref: str) -> Ruleset:
    """An edition to start from. Raises `RulewrightError`."""
    return found(catalogue, parse_reference(ref))[0]


def _examples(ruleset: Ruleset) -> Iterator[dict[str, str]]:
    style = Style(ruleset)
    for example in ruleset.examples.values():
        yield {
            "id": f"example:{ruleset.reference}:{example.id}",
            "title": plain_prose(example.title, style),
            "words": plain_prose(example.text, style) if example.text else _of(example, ruleset),
        }


def _of(example: Example, ruleset: Ruleset) -> str:
    return Names(ruleset).procedure(example.of) if example.of in ruleset.procedures else ""
