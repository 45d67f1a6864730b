"""Samples of play as readers see them: scene by scene, with the faces of the dice and maps of what moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.book.english.grammar import listed
from rulewright.book.english.naming import Naming
from rulewright.book.parts.maps import LegendView, MapView, moved_maps
from rulewright.book.parts.runs import Happening, happening, is_worth_telling, told
from rulewright.book.parts.steps import title_of
from rulewright.book.style.placeholders import fill
from rulewright.book.style.style import Html, Style
from rulewright.language.lowering import operations
from rulewright.language.operations import Write
from rulewright.language.types import PLAYER, Row, present
from rulewright.play.examples.run import Moment
from rulewright.play.examples.sample import Played, Scene, play_sample
from rulewright.play.telling.account import ends_with, phrase
from rulewright.play.telling.names import Names
from rulewright.program.program import Layout
from rulewright.ruleset.sections.pictures.samples import Sample

FOLDED = 8
"""Things that happen in a scene before it is folded away inside the one around it."""

MANY = 4
"""Objects that come into play one after another before they are counted instead of named."""


@dataclass(frozen=True, slots=True)
class SceneView:
    """What happened while one procedure was carried out; `of` is with what. `parts` may hold scenes of their own."""

    title: str
    of: str
    rule: str
    parts: tuple[Happening | SceneView, ...]
    maps: tuple[MapView, ...] = ()

    @property
    def size(self) -> int:
        """How many things happen in it."""
        return sum(part.size if isinstance(part, SceneView) else 1 for part in self.parts)


@dataclass(frozen=True, slots=True)
class SampleView:
    """A sample, ready for a template. What happens outside of any scene comes as one without a title."""

    title: str
    text: str
    scenes: tuple[SceneView, ...]
    legend: tuple[LegendView, ...]
    owned: bool


def sample_view(sample: Sample, style: Html) -> SampleView | None:
    """The sample, as the engine played it; None where it cannot be played."""
    played = play_sample(style.ruleset, sample)
    if not isinstance(played, Played):
        return None
    teller = _Teller(played, style)
    scenes = tuple(teller.scenes())
    legend = tuple(dict.fromkeys(teller.pieces))
    return SampleView(fill(sample.title, style), fill(sample.text, style), scenes, legend, teller.owned)


def _is_price(moment: Moment) -> bool:
    """Whether somebody chooses, or pays."""
    match moment.event.told, moment.event.details:
        case "asked", _:
            return True
        case "written", (_, _, int() as before, int() as after, *_):
            return after < before
    return False


class _Teller:
    """Tells one sample."""

    def __init__(self, played: Played, style: Html) -> None:
        self.played = played
        self.style = style
        self.ruleset = style.ruleset
        self.root = played.scene.procedure
        self.boards = {table.id for table in self.ruleset.declarations.tables.values() if table.is_board}
        self.kinds = Layout(style.ruleset.declarations).names
        self.pieces: list[LegendView] = []
        self.owned = False

    def scenes(self) -> Iterator[SceneView]:
        """Every scene right below the outermost procedure in which anything happens, with what happens between."""
        loose: list[int] = []
        for part in self.played.scene.parts:
            if isinstance(part, Scene):
                yield from self._between(loose)
                loose = []
                parts = tuple(self._told(part, self._size(part)))
                if parts:
                    yield replace(self._view(part, parts), maps=self._maps(part))
            else:
                loose.append(part)
        yield from self._between(loose)

    def _between(self, places: Sequence[int]) -> Iterator[SceneView]:
        lines = tuple(self._lines(places))
        if lines:
            yield SceneView("", "", f"procedures.{self.root}", lines)

    def _view(self, scene: Scene, parts: tuple[Happening | SceneView, ...]) -> SceneView:
        title = self.style.escape(fill(title_of(self.ruleset.procedures[scene.procedure]), Style(self.ruleset)))
        return SceneView(title, self._of(scene), f"procedures.{scene.procedure}", parts)

    def _of(self, scene: Scene) -> str:
        """Whose scene it is: the player it is given, if it is given one."""
        names = Names(self.ruleset)
        given = (names.value(value, kind) for kind, value in scene.arguments if present(kind) == PLAYER)
        return self.style.escape(next(given, ""))

    def _size(self, scene: Scene) -> int:
        return sum(1 for _ in self._lines(list(scene.places())))

    def _told(self, scene: Scene, whole: int) -> Iterator[Happening | SceneView]:
        """What happens in a scene; a part of it that is long in itself, and not the best part of all, is folded."""
        loose: list[int] = []
        for part in scene.parts:
            if not isinstance(part, Scene):
                loose.append(part)
                continue
            size = self._size(part)
            if size < FOLDED:
                loose += part.places()
                continue
            yield from self._lines(loose)
            loose = []
            if size * 2 > whole or self._is_mostly_one(part, size):
                yield from self._told(part, whole)
            else:
                yield self._view(part, tuple(self._lines(list(part.places()))))
        yield from self._lines(loose)

    def _is_mostly_one(self, scene: Scene, size: int) -> bool:
        """Whether more than half of a scene happens in one that it holds, which then names it better."""
        return any(self._size(part) * 2 > size for part in scene.parts if isinstance(part, Scene))

    # -- lines -----------------------------------------------------------------------------------

    def _lines(self, places: Sequence[int]) -> Iterator[Happening]:
        """What is worth telling of some events: a journey, or a crowd of new objects, is one line."""
        moments = [self.played.moments[place] for place in places]
        moments = [moment for moment in moments if moment.event.told != "called"]
        place = 0
        while place < len(moments):
            line, length = self._journey(moments[place:]) or self._crowd(moments[place:]) or (None, 1)
            if line is not None:
                yield line
            elif is_worth_telling(moments[place], self.root, self.style):
                yield happening(moments[place], self.style)
            place += length

    def _journey(self, moments: Sequence[Moment]) -> tuple[Happening, int] | None:
        """One object that goes from tile to tile, and how many events that takes: each step is chosen and paid for."""
        way: list[tuple[Moment, _Move]] = []
        length = 0
        for at, moment in enumerate(moments):
            move = self._move(moment)
            if move is not None and (not way or way[0][1].thing == move.thing):
                way.append((moment, move))
                length = at + 1
            elif move is not None or not (self._leads_on(moments[at:]) or self._is_dull(moment)):
                break
        if not way:
            return None
        first, last = way[0], way[-1]
        start = first[0].event.account
        # What is called by the tile it stands on need not be told of that tile again.
        stands = ends_with(start.who, ("tables", first[1].board, first[1].before))
        whence = () if stands else phrase(": ", start.before)
        steps = (piece for moment, _ in way for piece in (" → ", moment.event.account.after))
        text = told(phrase(start.who, whence, *steps), self.style)
        return replace(happening(last[0], self.style), text=text), length

    def _leads_on(self, moments: Sequence[Moment]) -> bool:
        """Whether what is chosen or paid here is nothing but the price and direction of a step that follows."""
        here = moments[0].event
        for moment in moments:
            if moment.event.rule.partition(".")[0] != here.rule.partition(".")[0]:
                return False
            if self._move(moment) is not None:
                return True
            if not _is_price(moment) and not self._is_dull(moment):
                return False
        return False

    def _is_dull(self, moment: Moment) -> bool:
        return not is_worth_telling(moment, self.root, self.style)

    def _move(self, moment: Moment) -> _Move | None:
        """The step from tile to tile that an event is, if it is one."""
        event = moment.event
        if event.told != "written":
            return None
        thing, name, before, after, *row = event.details
        if row:
            return None
        # What is done in a special case is known by the rule of the step it is an exception to.
        steps = [s for s in self.ruleset.steps.values() if s.rule == event.rule]
        for write in (each for step in steps for each in operations(step) if isinstance(each, Write)):
            kind = present(write.type)
            if write.field == name and isinstance(kind, Row) and kind.table in self.boards:
                return _Move(thing, kind.table, before, after) if None not in (thing, before, after) else None
        return None

    def _crowd(self, moments: Sequence[Moment]) -> tuple[Happening, int] | None:
        """Many objects that come into play one after another, and how many events that takes."""
        counted: Counter[str] = Counter()
        last, length = moments[0], 0
        for at, moment in enumerate(moments):
            if moment.event.told == "created":
                counted[self.kinds[moment.event.details[1][0]]] += 1
                last, length = moment, at + 1
            elif moment.event.told != "drawn" and not self._is_dull(moment):
                break
        if sum(counted.values()) < MANY:
            return None
        naming = Naming(Style(self.ruleset))
        several = [f"{number} {_noun(kind, naming, many=number > 1)}" for kind, number in counted.items()]
        return replace(
            happening(last, self.style), text=f"{self.style.escape(listed(several))} come into play."
        ), length

    # -- maps ------------------------------------------------------------------------------------

    def _maps(self, scene: Scene) -> tuple[MapView, ...]:
        """The boards at the end of a scene that changed what stands on them, with the ways that were gone."""
        if scene.start is None:
            return ()
        ways: dict[int, list[str]] = {}
        for place in scene.places():
            move = self._move(self.played.moments[place])
            if move is not None:
                ways.setdefault(move.thing, [move.before]).append(move.after)
        found = moved_maps(scene.start, scene.end or self.played.state, self.style, tuple(map(tuple, ways.values())))
        self.pieces += found.legend
        self.owned |= found.owned
        return found.maps


def _noun(kind: str, naming: Naming, *, many: bool) -> str:
    """What a kind is counted by: the term it is an object of, or its own name."""
    term = naming.kind_term(kind)
    return naming.style.term(term, plural=many) if term is not None else naming.kind(kind, several=many)


@dataclass(frozen=True, slots=True)
class _Move:
    """A step of an object from one tile of a board to another."""

    thing: int
    board: str
    before: str
    after: str
