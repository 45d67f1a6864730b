"""The output of a sensitivity analysis, as data and as text."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.analysis.simulation.sensitivity import Deals, Search
    from rulewright.ruleset.ruleset import Ruleset


def build_sensitivity_data(search: Search) -> dict[str, Any]:
    """Return the results as JSON data. Before the second round, the p-values (`chance`) are None."""

    def describe(deals: Deals) -> dict[str, Any]:
        return {
            "deals": deals.played,
            "wins": deals.won,
            "losses": deals.lost,
            "interval": list(deals.interval),
            "one_seat": deals.one_seat,
        }

    return {
        "better": search.better,
        "lesser": search.lesser,
        "changes": search.in_all,
        "tried": search.tried,
        "refused": search.refused,
        "endless": search.endless,
        "sure": search.sure,
        "as_it_is": describe(search.as_it_is),
        "left": [
            {
                "figure": change.figure,
                "does": change.does,
                "sweep": change.sweep,
                **describe(deals),
                "chance": chance if search.sure else None,
                "to_blame": (change, deals) in search.to_blame,
            }
            for (change, deals), chance in zip(search.left, search.chances, strict=True)
        ],
    }


def format_sensitivity(search: Search, ruleset: Ruleset, deals: int) -> list[str]:
    """Return the results as lines of text. `deals` is the number of pairs in the first round.

    Before the second round is complete, the lines only have the progress.
    """
    from rulewright.analysis.simulation.tournament import STEEP
    from rulewright.cli.simulation_output import format_share_interval

    lines = [
        "",
        f"{search.better} wins less than {STEEP:.0%} against "
        f"{search.lesser}: which number leaves so little room for skill?",
        f"{search.tried:,} of {search.in_all:,} changes were tried in {deals:,} paired games each;",
        f"{search.refused:,} of them make the rules unplayable, and {search.endless:,} make games too long",
    ]
    if not search.sure:
        return [*lines, "interrupted: the sensitivity analysis needs all games"]

    def line(name: str, deals: Deals) -> str:
        seat = deals.one_seat / max(1, deals.played)
        better, lucky = format_share_interval(deals.interval), format_share_interval(deals.of_one_seat)
        return f"  {name:<44} {deals.share:>7.2%} {better:<20}{seat:>8.2%} {lucky}"

    lines += [
        "",
        f"in {search.as_it_is.played:,} other pairs: games that {search.better} wins, and pairs in which the same "
        "seat wins both games",
        line("as it is", search.as_it_is),
        *(line(f"{change.figure}, {change.does}", deals) for change, deals in search.left),
        "",
    ]
    if not search.to_blame:
        return [
            *lines,
            "No single number is responsible: none of these changes makes better play win significantly more.",
        ]
    change, best = search.to_blame[0]
    leads = "often enough" if best.share >= STEEP else "more often, but not often enough"
    return [
        *lines,
        f"The number responsible is {change.figure}. With it {change.does}, better play wins {leads}.",
        "see it: "
        + shlex.join(
            [
                "rulewright",
                "simulate",
                ruleset.reference,
                "--players",
                f"{search.better},{search.lesser}",
                "--sweep",
                change.sweep,
            ]
        ),
    ]
