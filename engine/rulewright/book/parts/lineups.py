"""Examples of sides that face each other, as small pictures: who stood where before the run, and who after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.book.english.grammar import capital, listed
from rulewright.book.english.naming import Naming
from rulewright.book.parts.given import ORDINALS
from rulewright.book.parts.map_views import LegendView, MapsView, MapView
from rulewright.book.style.style import Html, Style
from rulewright.language.declarations import PLAYER_KIND, Term
from rulewright.play.boards.board import Lineup, Member, Rank, lineups
from rulewright.play.boards.svg import ranks_svg
from rulewright.play.boards.svg import text as text_svg
from rulewright.play.examples.run import Finished


def lineup_views(ran: Finished, style: Html) -> MapsView | None:
    """The sides of a run on which anybody stood; None if there are none."""
    maps: list[MapView] = []
    members: list[Member] = []
    owned = False
    for before, after in zip(lineups(ran.start), lineups(ran.state), strict=True):
        for when, lineup in _moments(before, after):
            maps.append(MapView(when, _drawing(when, lineup, style)))
            members += [member for rank in lineup.ranks for member in rank.members]
            owned = owned or any(rank.seat and rank.members for rank in lineup.ranks)
    if not maps:
        return None
    return MapsView(tuple(maps), tuple(dict.fromkeys(_legend(member, style) for member in members)), owned)


def _moments(before: Lineup, after: Lineup) -> Iterator[tuple[str, Lineup]]:
    """What is drawn: empty sides tell nothing, and the same picture is not drawn twice."""
    if before == after and not before.is_empty:
        yield "", before
    elif before != after:
        # Whose side is gone is defeated, and stands empty in the second picture.
        yield from ((when, lineup) for when, lineup in (("Before", before), ("After", after)) if not lineup.is_empty)


def _drawing(when: str, lineup: Lineup, style: Html) -> str:
    names = tuple(_names(lineup, style))
    player = Naming(Style(style.ruleset)).kind(PLAYER_KIND)

    def whose(rank: Rank) -> str:
        return f", {player} {rank.seat}" if rank.seat is not None else ""

    ranks = (
        f"{name}{whose(rank)}: {listed([member.label for member in rank.members]) if rank.members else 'nobody'}"
        for name, rank in zip(names, lineup.ranks, strict=True)
    )
    title = f"{when + ': ' if when else ''}{'; '.join(ranks)}"

    def picture(member: Member, x: float, y: float, size: float) -> str:
        term = _term(member, style)
        drawn = style.drawing(term, x, y, size) if term is not None else ""
        sign = (term.icon or term.name[:1]) if term is not None else member.label[:1]
        return drawn or text_svg(x + size / 2, y + size * 0.82, sign, size * 0.8)

    return ranks_svg(lineup, title=title, names=names, picture=picture)


def _names(lineup: Lineup, style: Html) -> Iterator[str]:
    """What each side is called: the first and the second, as the words of an example call them; one alone as it is."""
    naming = Naming(Style(style.ruleset))
    for place, rank in enumerate(lineup.ranks):
        many = len(lineup.ranks) > 1 and place < len(ORDINALS)
        yield capital(f"the {ORDINALS[place]} {naming.kind(rank.kind)}" if many else naming.kind(rank.kind))


def _term(member: Member, style: Html) -> Term | None:
    return Naming(style).kind_term(member.kind)


def _legend(member: Member, style: Html) -> LegendView:
    term = _term(member, style)
    if term is None:
        return LegendView("", style.escape(member.label))
    return LegendView(style.picture(term), style.escape(term.name))


def together(*views: MapsView | None) -> MapsView | None:
    """Several groups of pictures as one; None where there are none."""
    found: MapsView | None = None
    for view in views:
        if found is None or view is None:
            found = found or view
            continue
        legend = tuple(dict.fromkeys((*found.legend, *view.legend)))
        found = replace(found, maps=found.maps + view.maps, legend=legend, owned=found.owned or view.owned)
    return found
