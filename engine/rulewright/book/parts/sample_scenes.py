"""Sample games as readers see them, scene by scene, with dice and with maps of the moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.book.english.naming import Naming
from rulewright.book.parts.example_maps import LegendView, MapView, build_change_maps
from rulewright.book.parts.example_runs import EventView
from rulewright.book.parts.fixture_text import list_drawn_kinds
from rulewright.book.parts.log_lines import LogWriter
from rulewright.book.parts.setup_pictures import is_counted
from rulewright.book.parts.step_sentences import format_title
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import HtmlStyle, Style
from rulewright.engine.narration.plain_names import Names
from rulewright.engine.state.game_state import State
from rulewright.language.declarations import PLAYER_KIND
from rulewright.language.types import INTEGER, PLAYER, Entity, present
from rulewright.ruleset.sections.samples import Sample
from rulewright.testing.play_samples import SampleRun, Scene, play_sample

FOLDED = 8
"""Minimum number of events for a nested scene to be folded. Shorter scenes join the scene around them."""


HIGHLIGHTS = 5
"""Maximum number of events that tell a scene in short."""


@dataclass(frozen=True, slots=True)
class SceneView:
    """The events of one call of a procedure. `of` names the player of the scene. `parts` may hold nested scenes.

    `highlights` are the few events that tell the scene in short, and `holdings` say what each player has at its end.
    """

    title: str
    of: str
    rule: str
    parts: tuple[EventView | SceneView, ...]
    maps: tuple[MapView, ...] = ()
    highlights: tuple[EventView, ...] = ()
    holdings: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of events in the scene, including nested scenes."""
        return sum(part.size if isinstance(part, SceneView) else 1 for part in self.parts)


@dataclass(frozen=True, slots=True)
class SampleView:
    """A sample game, ready for a template. Events outside of any scene are in scenes without a title."""

    title: str
    text: str
    scenes: tuple[SceneView, ...]
    legend: tuple[LegendView, ...]
    owned: bool


def sample_view(sample: Sample, style: HtmlStyle) -> SampleView | None:
    """Return the view of a sample game, as the engine plays it, or None if it cannot be played."""
    played = play_sample(style.ruleset, sample)
    if not isinstance(played, SampleRun):
        return None
    teller = _Teller(played, style)
    scenes = tuple(teller.scenes())
    legend = tuple(dict.fromkeys(teller.pieces))
    return SampleView(fill(sample.title, style), fill(sample.text, style), scenes, legend, teller.owned)


class _Teller:
    """Writer of one sample game."""

    def __init__(self, played: SampleRun, style: HtmlStyle) -> None:
        self.played = played
        self.style = style
        self.ruleset = style.ruleset
        self.root = played.scene.procedure
        self.lines = LogWriter(played.moments, self.root, style)
        self.pieces: list[LegendView] = []
        self.owned = False

    def scenes(self) -> Iterator[SceneView]:
        """Yield the scenes directly below the outermost procedure and the events between them, but no empty scenes.

        Adds to `pieces` and `owned`, which are complete after the last scene.
        """
        loose: list[int] = []
        for part in self.played.scene.parts:
            if isinstance(part, Scene):
                yield from self._group_between(loose)
                loose = []
                parts = tuple(self._list_events(part, self._size(part)))
                if parts:
                    maps = self._maps(part)
                    yield replace(
                        self._view(part, parts),
                        maps=maps,
                        highlights=tuple(self._list_highlights(part)),
                        holdings=tuple(self._list_holdings(part.end or self.played.state)) if maps else (),
                    )
            else:
                loose.append(part)
        yield from self._group_between(loose)

    def _group_between(self, places: Sequence[int]) -> Iterator[SceneView]:
        lines = tuple(self._lines(places))
        if lines:
            yield SceneView("", "", f"procedures.{self.root}", lines)

    def _view(self, scene: Scene, parts: tuple[EventView | SceneView, ...]) -> SceneView:
        title = self.style.escape(fill(format_title(self.ruleset.procedures[scene.procedure]), Style(self.ruleset)))
        return SceneView(title, self._of(scene), f"procedures.{scene.procedure}", parts)

    def _of(self, scene: Scene) -> str:
        """Return the name of the player that a scene receives as an argument, or an empty string if there is none."""
        names = Names(self.ruleset)
        given = (names.format_value(value, kind) for kind, value in scene.arguments if present(kind) == PLAYER)
        return self.style.escape(next(given, ""))

    def _size(self, scene: Scene) -> int:
        return sum(1 for _ in self._lines(scene.iterate_places()))

    def _list_events(self, scene: Scene, whole: int) -> Iterator[EventView | SceneView]:
        """Yield the events of a scene, which has `whole` events with those of its nested scenes.

        A long nested scene is folded, unless it holds more than half of the whole or consists mostly of one scene.
        """
        loose: list[int] = []
        for part in scene.parts:
            if not isinstance(part, Scene):
                loose.append(part)
                continue
            size = self._size(part)
            if size < FOLDED:
                loose += part.iterate_places()
                continue
            yield from self._lines(loose)
            loose = []
            if size * 2 > whole or self._is_mostly_one(part, size):
                yield from self._list_events(part, whole)
            else:
                yield self._view(part, tuple(self._lines(part.iterate_places())))
        yield from self._lines(loose)

    def _lines(self, places: Iterable[int]) -> Iterator[EventView]:
        return (line.happening for line in self.lines.iterate(places))

    def _list_highlights(self, scene: Scene) -> list[EventView]:
        """Return the events of a scene in which something comes into play or changes hands, up to `HIGHLIGHTS`.

        Rolls, choices, amounts, the moves on the boards and the members of opposing sides are left out.
        """
        lined_up = list_drawn_kinds(self.style)
        results = []
        for line in self.lines.iterate(scene.iterate_places()):
            event = self.played.moments[line.places[-1]].event
            match event.kind:
                case "created":
                    is_told = self.lines.kinds[event.details[1][0]] not in lined_up
                case _:
                    is_told = isinstance(self.lines.find_written_type(event), Entity)
            if is_told and not self.lines.list_ways(line.places):
                results.append(line.happening)
        return results[:HIGHLIGHTS]

    def _list_holdings(self, state: State) -> Iterator[str]:
        """Yield the amounts of each player that everyone may see, such as `Player 1: 3 points`."""
        naming, names = Naming(Style(self.ruleset)), Names.for_state(state)
        places = state.machine.layout.places
        fields = [
            name
            for name, field in self.ruleset.declarations.kinds[PLAYER_KIND].fields.items()
            if present(field.type) == INTEGER and field.seen_by is None and is_counted(field, naming)
        ]
        for player in state.live[state.machine.layout.kinds[PLAYER_KIND]]:
            amounts = [(name, state.objects[player][places[PLAYER_KIND, name]]) for name in fields]
            held = [f"{many} {naming.unit(name, single=many == 1, kind=PLAYER_KIND)}" for name, many in amounts]
            if held:
                yield self.style.escape(f"{names.name_player(player)}: {self.style.language.join_list(held)}")

    def _is_mostly_one(self, scene: Scene, size: int) -> bool:
        """Return whether one nested scene holds more than half of a scene's events, and so describes them better."""
        return any(self._size(part) * 2 > size for part in scene.parts if isinstance(part, Scene))

    # -- maps ------------------------------------------------------------------------------------

    def _maps(self, scene: Scene) -> tuple[MapView, ...]:
        """Return the boards that changed in a scene, as they are at its end, with arrows along the moves.

        Empty for a scene without boards to compare. Adds the pieces on them to the legend.
        """
        if scene.start is None:
            return ()
        end = scene.end or self.played.state
        change_maps = build_change_maps(scene.start, end, self.style, self.lines.list_ways(scene.iterate_places()))
        self.pieces += change_maps.legend
        self.owned |= change_maps.owned
        return change_maps.maps
