"""The report of a simulation as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.cli.simulation import lines
from rulewright.cli.terminal import width
from rulewright.simulate.report import MOST_OPTIONS


def text(data: dict[str, Any]) -> list[str]:
    """The lines of the report."""
    games = data["games"]
    found = [
        f"{data['title']} ({data['ruleset']})",
        f"{games:,} games in {data['seconds']:.1f} s ({data['games_per_second']:,.0f} a second), "
        f"{data['decisions'] / games:,.1f} decisions a game",
    ]
    if data["kept"]:
        found.append(f"{data['kept']:,} of them were played before, and took none of this time")
    if data["settings"]:
        found.append("settings: " + ", ".join(f"{name} = {choice}" for name, choice in data["settings"].items()))
    found += ["", "wins by policy"]
    found += [lines.share(name, each["wins"], each["games"], each["interval"]) for name, each in data["wins"].items()]
    found.append("wins by seat")
    found += [lines.share(f"seat {e['seat']}", e["wins"], games, e["interval"]) for e in data["wins_by_seat"]]
    found += _ends(data)
    measured = [(each["title"], each) for each in data["measures"].values()]
    found += lines.means("measures", [*measured, ("decisions", data["lengths"])])
    found += lines.bars("games by decisions", data["lengths"]["histogram"])
    for name, points in data["series"].items():
        found += lines.curve(data["measures"][name]["title"] if name in data["measures"] else name, points)
    if "steps" in data:
        found += _coverage(data)
    return found


def _ends(data: dict[str, Any]) -> list[str]:
    from rulewright.odds.interval import wilson

    games = data["games"]
    found = ["what decided games"]
    for each in data["decided_by"]:
        found.append(lines.share(each["rule"] or "the last step", each["games"], games, each["interval"]))
    found.append(lines.share("draws", data["draws"], games, wilson(data["draws"], games)))
    if data["unfinished"]:
        found.append(lines.share("unfinished", data["unfinished"], games, wilson(data["unfinished"], games)))
    return found


def _coverage(data: dict[str, Any]) -> list[str]:
    fired = data["watched"] - len(data["never_fired"])
    found = ["", *_options(data["options"])]
    for table in data["rows"].values():
        found.append(f"{table['title']}: {table['times']:,} times")
        for row in table["rows"].values():
            title = lines.fitted(row["title"], lines.name_width())
            found.append(f"  {title}{row['times']:>10,}{row['share']:>9.2%}")
    most = sorted(data["steps"].items(), key=lambda pair: -pair[1])[:10]
    found.append("steps that fired most")
    found += [f"  {lines.fitted(rule, lines.name_width())}{times:>10,}" for rule, times in most if times]
    found.append(f"coverage: {fired} of {data['watched']} steps that leave a trace have fired")
    found += [f"  never: {rule}" for rule in data["never_fired"]]
    return found


def _options(questions: Sequence[dict[str, Any]]) -> list[str]:
    """How often each option was taken, and how those fared who took it in a game or met it and never did."""
    room = max(12, width() - 66)
    found = [
        "options: how often taken, and who won more: those who took them, or never did",
        f"  {'':<{room}}{'times':>9}{'share':>8}  {'takers won':<22}{'others won':<22}",
    ]
    for question in questions:
        asked = f"{question['rule']}: {question['ask']}" if question["ask"] else question["rule"]
        found.append(lines.fitted(asked, width() - 2).rstrip())
        more = question["options"][MOST_OPTIONS:]
        for each in question["options"][:MOST_OPTIONS]:
            took, others = each["takers"], each["others"]
            mark = " *" if each["difference"] and (each["difference"][0] > 0 or each["difference"][1] < 0) else ""
            found.append(
                f"  {lines.fitted(each['label'], room)}{each['times']:>9,}{each['share']:>8.1%}  "
                f"{_rate(took):<22}{_rate(others) + mark:<22}".rstrip()
            )
        if more:
            found.append(f"  and {len(more):,} more options, taken {sum(each['times'] for each in more):,} times")
    found.append("  * differs beyond its 95 % interval; of many, some do by chance")
    return found


def _rate(group: dict[str, Any]) -> str:
    if not group["seats"]:
        return "nobody"
    low, high = group["interval"]
    return f"{group['wins'] / group['seats']:.0%} ({low:.0%}-{high:.0%}) of {group['seats']}"
