"""Sides that face each other as an SVG picture. Colours follow CSS variables where a page sets them."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from rulewright.play.boards.board_svg import SEATS
from rulewright.play.boards.ranks import Lineup, Member, Rank

BOX = 56
GAP = 8
HEAD = 20
"""Room above a rank for its name."""

Picture = Callable[[Member, float, float, float], str]
"""How a member is drawn: the member, left, top and size of the square it may fill."""


def ranks_svg(lineup: Lineup, *, title: str, names: tuple[str, ...], picture: Picture) -> str:
    """The ranks below each other, each under its name of `names`; a `<title>` on every member says it in words."""
    most = max((len(rank.members) for rank in lineup.ranks), default=1)
    width = max(most, 3) * (BOX + GAP) + GAP
    deep = HEAD + BOX + GAP
    height = deep * len(lineup.ranks) + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="sans-serif"><title>{escape(title)}</title>'
    ]
    for down, (rank, name) in enumerate(zip(lineup.ranks, names, strict=True)):
        top = down * deep + GAP / 2
        if down:
            parts.append(
                f'<path d="M{GAP} {top:g}H{width - GAP}" stroke="var(--board-line, #cbbf9f)" stroke-dasharray="3 4"/>'
            )
        parts.append(_text(GAP, top + HEAD - 5, name, 12, anchor="start"))
        if not rank.members:
            parts.append(_nobody(GAP, top + HEAD))
        for across, member in enumerate(rank.members):
            parts.append(_member(GAP + across * (BOX + GAP), top + HEAD, member, rank, picture))
    return "".join([*parts, "</svg>"])


def _nobody(x: float, y: float) -> str:
    """Where the first of a rank would stand."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{BOX}" height="{BOX}" rx="5" fill="none" '
        f'stroke="var(--board-line, #cbbf9f)" stroke-dasharray="3 4"/>'
    )


def _member(x: float, y: float, member: Member, rank: Rank, picture: Picture) -> str:
    size = BOX * 0.46
    top = y + (7 if member.many is not None else (BOX - size) / 2)
    inside = [
        f"<g><title>{escape(member.label)}</title>"
        f'<rect x="{x:g}" y="{y:g}" width="{BOX}" height="{BOX}" rx="5" fill="var(--board-tile, #fbf8f1)" '
        f'stroke="var(--board-line, #cbbf9f)"/>',
        picture(member, x + (BOX - size) / 2, top, size),
    ]
    if member.many is not None:
        inside.append(_text(x + BOX / 2, y + BOX - 8, f"× {member.many}", 14))
    if rank.seat is not None:
        colour = SEATS[(rank.seat - 1) % len(SEATS)]
        right = x + BOX - 9
        inside.append(
            f'<circle cx="{right:g}" cy="{y + 9:g}" r="6.5" fill="{colour}"/>'
            f'<text x="{right:g}" y="{y + 12.2:g}" font-size="9" font-weight="bold" text-anchor="middle" fill="#fff">'
            f"{rank.seat}</text>"
        )
    return "".join([*inside, "</g>"])


def _text(x: float, y: float, text: str, size: float, anchor: str = "middle") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="var(--board-ink, #3a2f1d)">{escape(text)}</text>'
    )
