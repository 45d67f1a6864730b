"""The editions of each game: their order, and the changes between any two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from rulewright.base.incremental.known_values import get_value
from rulewright.base.lazy import lazy_property
from rulewright.book.changes.change import RuleChange
from rulewright.book.changes.compare_rulesets import list_changes
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.nodes import Mapping, Scalar


class PublishedEdition:
    """An edition, the folder of its book inside the site, and its rules, which may be loaded on first use.

    `find_content` returns a digest of its rules files, or an empty string if it is not known.
    """

    def __init__(
        self,
        edition: Edition,
        folder: str,
        ruleset: Ruleset | Callable[[], Ruleset],
        find_content: Callable[[], str] = str,
    ) -> None:
        self.edition = edition
        self.folder = folder
        self._find_content = find_content
        self._ruleset = ruleset

    @lazy_property
    def content(self) -> str:
        """Return the digest of the rules files of the ruleset. Empty if it is not known."""
        # The digest belongs to the ruleset only if the files have not changed since it was loaded.
        return self._find_content() if self.ruleset is not None else ""

    @property
    def ruleset(self) -> Ruleset:
        """The checked rules of the edition. Raises what their loading raises."""
        if not isinstance(self._ruleset, Ruleset):
            self._ruleset = self._ruleset()
        return self._ruleset


COMPARE = "compare"
"""The folder of the pages that compare two editions."""


class Comparisons:
    """The comparisons of the editions of a game. Each is computed once."""

    def __init__(self, published: Sequence[PublishedEdition]) -> None:
        self.published = tuple(published)
        self._changes: dict[tuple[str, str], list[RuleChange]] = {}
        self._rules: dict[tuple[str, str], dict[str, RuleChange]] = {}
        self._games: dict[PublishedEdition, list[PublishedEdition]] = {}

    def compare(self, before: PublishedEdition, after: PublishedEdition) -> list[RuleChange]:
        """Return the changes from one edition to another, computed once. The list must not be changed.

        If the digests of the files of both editions are known, the lines do not have the paths that they cover.
        """
        key = before.folder, after.folder
        if key not in self._changes:
            self._changes[key] = self._compare(before, after)
        return self._changes[key]

    def _compare(self, before: PublishedEdition, after: PublishedEdition) -> list[RuleChange]:
        """Return the changes, from an earlier run if the digests of the files of both editions are known."""
        if not before.content or not after.content:
            return list_changes(before.ruleset, after.ruleset)
        data = get_value(
            ["changes", before.content, after.content],
            lambda: [change.to_data() for change in list_changes(before.ruleset, after.ruleset)],
        )
        return [RuleChange.from_data(change) for change in data]

    def change(self, before: PublishedEdition, after: PublishedEdition, path: str) -> RuleChange | None:
        """Return the change of the rule at `path`, or None.

        If the rule itself is the same or changed in words only, a gameplay change of an exception to this procedure
        takes precedence.
        """
        key = before.folder, after.folder
        if key not in self._rules:
            self._rules[key] = self._index(before, after)
        return self._rules[key].get(path)

    def _index(self, before: PublishedEdition, after: PublishedEdition) -> dict[str, RuleChange]:
        """Return the changes of `change` by path."""
        result = self.compare(before, after)
        index: dict[str, RuleChange] = {}
        for change in result:
            index.setdefault(change.path, change)
        special: dict[str, RuleChange] = {}
        for change in result:
            if change.section == "exceptions" and not change.words:
                for path in (_find_procedure(before, change), _find_procedure(after, change)):
                    special.setdefault(path, change)
        return index | {path: each for path, each in special.items() if path not in index or index[path].words}

    def find_previous(self, item: PublishedEdition) -> PublishedEdition | None:
        """Return the edition that readers of this one know: the one it `follows`, or else an earlier version.

        Of several published editions that fit, it is the newest, and a draft only if all are drafts. The result is None
        if no published edition fits.
        """
        follows = item.edition.follows
        others = [other for other in self.published if other is not item]
        if follows is not None:
            fitting = [other for other in others if other.edition.ruleset == follows.ruleset]
            fitting = [o for o in fitting if follows.versions is None or o.edition.version in follows.versions]
        else:
            fitting = [o for o in others if o.edition.ruleset == item.edition.ruleset]
            fitting = [other for other in fitting if other.edition.version < item.edition.version]
        return max(fitting, key=lambda other: (other.edition.status != "draft", other.edition.version), default=None)

    def list_game(self, item: PublishedEdition) -> list[PublishedEdition]:
        """Return every edition of the same game, each after the one it follows, and otherwise by name and version.

        A folder may contain unrelated games: only editions that extend each other, or the same one, are compared.
        """
        if item not in self._games:
            family = self._family(item)
            family.sort(key=lambda other: (other.edition.edition, other.edition.version))
            placed: list[PublishedEdition] = []
            for other in family:
                self._place(other, placed, ())
            self._games[item] = placed
        return self._games[item]

    def _family(self, item: PublishedEdition) -> list[PublishedEdition]:
        """Return the editions of the game that are connected to `item` by what they extend or follow, including it."""
        shelf = [other for other in self.published if other.edition.game == item.edition.game]
        names = _stands_on(item)
        while True:
            published_editions = [other for other in shelf if not names.isdisjoint(_stands_on(other))]
            wider = frozenset().union(*map(_stands_on, published_editions))
            if wider == names:
                return published_editions
            names = wider

    def _place(
        self, item: PublishedEdition, placed: list[PublishedEdition], waiting: tuple[PublishedEdition, ...]
    ) -> None:
        """Add an edition to `placed`, after adding the one of the same game that it follows. Ignores one that is there.

        `waiting` are the editions whose turn depends on this one. In a cycle, the first one visited comes last.
        """
        if item in placed or item in waiting:
            return
        before = self.find_previous(item)
        if before is not None and before.edition.game == item.edition.game:
            self._place(before, placed, (*waiting, item))
        placed.append(item)

    def iterate_pairs(self) -> Iterator[tuple[PublishedEdition, PublishedEdition]]:
        """Yield every two editions of the same game, the earlier one first, in the order of the game's editions.

        An edition and the one before it are a pair even if they follow each other in a circle, or are of two games.
        """
        for game in dict.fromkeys(tuple(self.list_game(item)) for item in self.published):
            pairs = dict.fromkeys(combinations(game, 2))
            followed = ((self.find_previous(item), item) for item in game)
            pairs |= dict.fromkeys((before, item) for before, item in followed if before is not None)
            yield from pairs

    def list_pairs(self, item: PublishedEdition) -> list[tuple[PublishedEdition, PublishedEdition]]:
        """Return the pairs of `iterate_pairs` that contain `item`."""
        return [pair for pair in self.iterate_pairs() if item in pair]

    def build_title(self, item: PublishedEdition) -> str:
        """Return a title that distinguishes an edition from the others of its game."""
        titles = [other.edition.title for other in self.published if other.edition.game == item.edition.game]
        only = titles.count(item.edition.title) == 1
        return item.edition.title if only else f"{item.edition.title} {item.edition.version}"


def _stands_on(item: PublishedEdition) -> frozenset[str]:
    """Return the names of an edition, of the one it extends, and of the one it follows."""
    others = (item.edition.extends, item.edition.follows)
    return frozenset((item.edition.ruleset, *(other.ruleset for other in others if other is not None)))


def build_address(before: PublishedEdition, after: PublishedEdition) -> str:
    """Return the address of a comparison relative to the root of the site, which is the folder of its page."""
    return f"{COMPARE}/{before.folder}..{after.folder}"


def build_fragment(change: RuleChange) -> str:
    """Return the fragment of a changed rule on a comparison page."""
    return f"{change.section}-{change.id or 'order'}"


def select_played(rule_changes: Sequence[RuleChange]) -> list[RuleChange]:
    """Return the changes that affect play."""
    return [change for change in rule_changes if change.played]


def select_in_play(rule_changes: Sequence[RuleChange]) -> int:
    """Return the number of changes that affect play."""
    return len(select_played(rule_changes))


def _find_procedure(item: PublishedEdition, change: RuleChange) -> str:
    """Return the procedure that a special case belongs to, as a path."""
    exceptions = item.ruleset.resolved.rules.get("exceptions")
    result = exceptions.get(change.id) if isinstance(exceptions, Mapping) else None
    to = result.get("to") if isinstance(result, Mapping) else None
    return f"procedures.{to.text.partition('.')[0]}" if isinstance(to, Scalar) else ""
