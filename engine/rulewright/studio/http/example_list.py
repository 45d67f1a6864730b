"""Examples of every edition, offered as starting points."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from rulewright.base.errors import RulewrightError
from rulewright.base.scheduler import Scheduler, Work
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.load_ruleset import find_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import parse_reference

_WORK = "the list of examples"

Print = tuple[tuple[str, int, int], ...]
"""The files of all editions: their paths, sizes and times of change."""


@dataclass(slots=True, eq=False)
class Examples:
    """A cache of the examples of every edition, which background work refreshes on request.

    Loading all rulesets takes a while. Until the work is done, `known` may have outdated or missing entries.
    """

    scheduler: Scheduler
    known: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    _seen: Print | None = None

    def ask(self, catalogue: Catalogue, *, patience: float) -> bool:
        """Refresh `known` if any edition has changed, and return whether it is complete.

        Works for `patience` seconds at most. The rest is left to the scheduler.
        """
        seen = _print(catalogue)
        if seen != self._seen:
            self._seen = seen
            self.scheduler.put(_WORK, self._look(catalogue))
        return self.scheduler.run_until(lambda: _WORK not in self.scheduler, patience) and seen == self._seen

    def _look(self, catalogue: Catalogue) -> Work:
        """Update `known` in one step. An edition that cannot be loaded keeps its previous examples."""
        editions = list_startable(catalogue)
        for edition_id in self.known.keys() - {edition.id for edition in editions}:
            del self.known[edition_id]
        for edition in editions:
            with suppress(RulewrightError):
                self.known[edition.id] = list(_examples(load_startable(catalogue, edition.id)))
            yield None


def _print(catalogue: Catalogue) -> Print:
    """Return the path, size and time of each YAML file of all editions."""
    files = sorted({path for edition in catalogue.list_editions() for path in edition.folder.rglob("*.yaml")})
    results = []
    for path in files:
        with suppress(OSError):  # deleted after it was listed
            status = path.stat()
            results.append((str(path), status.st_size, status.st_mtime_ns))
    return tuple(results)


def list_startable(catalogue: Catalogue) -> list[Edition]:
    """Return the editions that house rules can extend, the newest version of each first."""
    newest = [each for each in catalogue.list_editions() if each.status != "abstract"]
    newest.sort(key=lambda each: each.version, reverse=True)
    return sorted(newest, key=lambda each: (each.game, each.edition))


def load_startable(catalogue: Catalogue, ref: str) -> Ruleset:
    """Return the ruleset of an edition to start from. Raises `RulewrightError`."""
    return find_ruleset(catalogue, parse_reference(ref))[0]


def _examples(ruleset: Ruleset) -> Iterator[dict[str, str]]:
    """Yield each example as a starting point, with the name of its procedure if it has no text."""
    from rulewright.book.style.prose_html import render_plain_prose
    from rulewright.book.style.text_style import Style
    from rulewright.engine.narration.plain_names import Names

    style, names = Style(ruleset), Names(ruleset)
    for example in ruleset.examples.values():
        name = names.name_procedure(example.of) if example.of in ruleset.procedures else ""
        yield {
            "id": f"example:{ruleset.reference}:{example.id}",
            "title": render_plain_prose(example.title, style),
            "words": render_plain_prose(example.text, style) if example.text else name,
        }
