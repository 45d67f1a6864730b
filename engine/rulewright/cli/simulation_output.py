"""The output of `rulewright simulate` for reports, comparisons and sweeps, as data and as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.analysis.simulation.comparison_result import METHOD, Alone
from rulewright.analysis.simulation.simulation_report import MOST_OPTIONS, select_common
from rulewright.cli.bar_chart import draw_bar
from rulewright.cli.terminal import can_show, measure_width
from rulewright.source.files.atomic_write import WriteError, describe_write_error, write_text

if TYPE_CHECKING:
    from rulewright.analysis.simulation.metrics import Metric
    from rulewright.analysis.simulation.paired_comparison import Move
    from rulewright.ruleset.overlay import Value


def report_text(data: dict[str, Any], *, own: Mapping[str, str] | None = None) -> list[str]:
    """Return the lines of the report from the data of `simulation_report.report`.

    `own` are settings that the rules choose for simulations.
    """
    from rulewright.base.confidence_intervals import compute_wilson_interval

    games = data["games"]
    text = [
        f"{data['title']} ({data['ruleset']})",
        f"{games:,} games in {data['seconds']:.1f} s ({data['games_per_second']:,.0f} a second), "
        f"{data['decisions'] / games:,.1f} decisions a game",
    ]
    if data["kept"]:
        text.append(f"{data['kept']:,} of them were loaded from an earlier run, and are not part of this time")
    if data["settings"]:
        marks = {
            name: " (set by the rules for simulations)" if name in (own or {}) else "" for name in data["settings"]
        }
        settings = (f"{name} = {choice}{marks[name]}" for name, choice in data["settings"].items())
        text.append("settings: " + ", ".join(settings))
    text += ["", "wins by policy"]
    text += [share(name, each["wins"], each["games"], each["interval"]) for name, each in data["wins"].items()]
    text.append("wins by seat")
    text += [share(f"seat {e['seat']}", e["wins"], games, e["interval"]) for e in data["wins_by_seat"]]
    text += _ends(data)
    shares = [each for each in data["measures"].values() if "true" in each]
    if shares:
        text.append("share of games")
    for each in shares:
        ended = sum(bar["games"] for bar in each["histogram"])
        text.append(share(each["title"], each["true"], ended, compute_wilson_interval(each["true"], ended)))
    measured = [(each["title"], each) for each in data["measures"].values() if "true" not in each]
    text += format_means("measures", [*measured, ("decisions", data["lengths"])])
    text += draw_bars("games by decisions", data["lengths"]["histogram"])
    for name, points in data["series"].items():
        text += draw_curve(data["measures"][name]["title"] if name in data["measures"] else name, points)
    if "steps" in data:
        text += _coverage(data)
    return text


def _ends(data: dict[str, Any]) -> list[str]:
    """Return the lines of the report on what decided games, with draws and any unfinished games."""
    import textwrap

    from rulewright.analysis.simulation.metrics import SHARED_NOTE
    from rulewright.base.confidence_intervals import compute_wilson_interval

    games = data["games"]
    results = ["what decided games"]
    for each in data["decided_by"]:
        results.append(share(each["rule"] or "the last step", each["games"], games, each["interval"]))
    results.append(share("draws", data["draws"], games, compute_wilson_interval(data["draws"], games)))
    if data["shared"]:
        results.append(share("shared wins", data["shared"], games, compute_wilson_interval(data["shared"], games)))
        results += textwrap.wrap(SHARED_NOTE, measure_width(), initial_indent="    ", subsequent_indent="    ")
    if data["unfinished"]:
        results.append(
            share("unfinished", data["unfinished"], games, compute_wilson_interval(data["unfinished"], games))
        )
    return results


def _coverage(data: dict[str, Any]) -> list[str]:
    """Return the lines of the report on options, table rows and steps, with all steps that never fired."""
    fired = data["watched"] - len(data["never_fired"])
    results = ["", *_options(data["options"])]
    for table in data["rows"].values():
        results.append(f"{table['title']}: {table['times']:,} times")
        for row in table["rows"].values():
            title = fit_text(row["title"], measure_names())
            results.append(f"  {title}{row['times']:>10,}{row['share']:>9.2%}")
    most = sorted(data["steps"].items(), key=lambda pair: -pair[1])[:10]
    results.append("steps that fired most")
    results += [f"  {fit_text(rule, measure_names())}{times:>10,}" for rule, times in most if times]
    results.append(f"coverage: {fired} of {data['watched']} observable steps have fired")
    results += [f"  never: {rule}" for rule in data["never_fired"]]
    return results


def _options(questions: Sequence[dict[str, Any]]) -> list[str]:
    """Return a table of the options, with the win rates of seats that took each one and of those that never did."""
    room = max(12, measure_width() - 66)
    results = [
        "options: how often taken, and the win rate with and without them",
        f"  {'':<{room}}{'times':>9}{'share':>8}  {'takers won':<22}{'others won':<22}",
    ]
    for question in questions:
        label = f"{question['rule']}: {question['ask']}" if question["ask"] else question["rule"]
        results.append(fit_text(label, measure_width() - 2).rstrip())
        more = question["options"][MOST_OPTIONS:]
        for each in question["options"][:MOST_OPTIONS]:
            took, others = each["takers"], each["others"]
            mark = " *" if each["difference"] and (each["difference"][0] > 0 or each["difference"][1] < 0) else ""
            results.append(
                f"  {fit_text(each['label'], room)}{each['times']:>9,}{each['share']:>8.1%}  "
                f"{_rate(took) + ' ':<22}{_rate(others)}{mark}"
            )
        if more:
            times = sum(each["times"] for each in more)
            results.append(f"  and {len(more):,} more options, taken {times:,} times in total")
    results.append("  * significant at 95 %; with many options, a few are significant by chance")
    return results


def _rate(group: dict[str, Any]) -> str:
    if not group["seats"]:
        return "nobody"
    low, high = group["interval"]
    return f"{group['wins'] / group['seats']:.0%} ({low:.0%}-{high:.0%}) of {group['seats']}"


MOST_MOMENTS = 12
"""The maximum number of lines for a measure over time."""

NO_INTERVAL = "(needs two games)"
"""The text in place of a mean's confidence interval, which needs at least two games."""

_OF_ALL = ("least", "median", "most")


def measure_names() -> int:
    """Return the width in columns that remains for names next to the numbers."""
    return max(16, measure_width() - 55)


def fit_text(text: str, columns: int) -> str:
    """Pad or shorten a text to exactly this number of columns."""
    if len(text) <= columns:
        return f"{text:<{columns}}"
    return text[: columns - 1] + ("…" if can_show("…") else "~")


def share(name: str, part: int, whole: int, interval: Sequence[float]) -> str:
    """Return a line with a part of a whole and its interval."""
    value = part / whole if whole else 0.0
    label = fit_text(name, measure_names())
    return f"  {label} {part:>9,} of {whole:<10,}{value:>8.2%}  {format_share_interval(interval)}"


def format_share_interval(interval: Sequence[float]) -> str:
    """Format the interval of a share as percentages."""
    return f"({interval[0]:.2%} to {interval[1]:.2%})"


def format_mean_interval(interval: Sequence[float] | None) -> str:
    """Format the interval of a mean, or a note if there is none."""
    return f"({interval[0]:,.2f} to {interval[1]:,.2f})" if interval is not None else NO_INTERVAL


def format_means(title: str, result: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
    """Return a table of means by name, with intervals, minimum, median and maximum, as lines under a heading `title`.

    Columns of numbers grow with their widest cell. Names get the rest of the line, and longer ones are shortened.
    """
    rows = [
        (f"{each['mean']:,.2f}", format_mean_interval(each["interval"]), *(f"{each[key]:,}" for key in _OF_ALL))
        for _, each in result
    ]
    head = ("mean", "interval", *_OF_ALL)
    # At least one space separates columns, and two precede an interval.
    least = (9, 20, 7, 7, 7)
    columns = [max(narrow, *(len(row[at]) + (at != 1) for row in (head, *rows))) for at, narrow in enumerate(least)]
    names = max(16, measure_names() - sum(columns) + sum(least))
    lines = [f"{title:<{names + 2}}{_cells(head, columns)}"]
    return lines + [
        f"  {fit_text(name, names)}{_cells(row, columns)}" for (name, _), row in zip(result, rows, strict=True)
    ]


def _cells(row: Sequence[str], columns: Sequence[int]) -> str:
    mean, interval, *others = row
    rest = "".join(f"{cell:>{width}}" for cell, width in zip(others, columns[2:], strict=True))
    return f"{mean:>{columns[0]}}  {interval:<{columns[1]}}{rest}"


def draw_bars(title: str, result: Sequence[dict[str, int]]) -> list[str]:
    """Return the lines of a histogram: the title, and a bar for each range of `result`.

    A range has its bounds `from` and `to`, and `games`, the number of games in it. Bars fit the width of the terminal.
    """
    most = max((each["games"] for each in result), default=0)
    labels = [str(each["from"]) if each["from"] == each["to"] else f"{each['from']}-{each['to']}" for each in result]
    columns = max(map(len, labels), default=0)
    room = measure_width() - columns - 14
    lines = [title]
    for label, each in zip(labels, result, strict=True):
        drawn = draw_bar(Fraction(each["games"], most), room, blocks=can_show("█▏")) if each["games"] else ""
        lines.append(f"  {label:>{columns}} {drawn:<{room}} {each['games']:>9,}")
    return lines


def draw_curve(title: str, points: Sequence[dict[str, Any]]) -> list[str]:
    """Return the lines of a measure over the course of a game.

    Each of about a dozen lines has the mean at one moment, over the games that reached it.
    """
    points = select_common(points)
    step = max(1, -(-len(points) // MOST_MOMENTS))
    chosen = points[::step]
    most = max((point["mean"] for point in chosen), default=0.0) or 1.0
    room = measure_width() - 51
    lines = [f"{title + ' over time':<{room + 10}}{'mean':>9}  {'interval':<20}{'games':>8}"]
    for point in chosen:
        part = Fraction(max(0.0, point["mean"]) / most)
        drawn = draw_bar(part, room, blocks=can_show("█▏")) if part else ""
        lines.append(
            f"  {point['at']:>6} {drawn:<{room}} {point['mean']:>9,.2f}  {format_mean_interval(point['interval']):<20}"
            f" {point['games']:>7,}"
        )
    return lines


def format_comparison(first: str, second: str, games: int, moves: Sequence[Move], only: Alone) -> list[str]:
    """Return the comparison as lines of text, with significant differences first."""
    import textwrap

    room = max(14, measure_width() - 66)
    results = [
        f"{first} → {second}" if can_show("→") else f"{first} -> {second}",
        f"{games:,} {'pair' if games == 1 else 'pairs'} of games",
        "",
    ]
    results.append(f"  {'':<{room}}{'first':>9} {'second':>9} {'change':>9}  {'interval':<21}{'chance':>8}")
    for title, moved in (("moved", True), ("within noise", False)):
        group = [move for move in moves if move.moved == moved]
        results.append(title if group else f"{title}: nothing")
        for move in sorted(group, key=lambda each: each.adjusted):
            form = "{:.2%}" if move.share else "{:,.2f}"
            signed = "{:+.2%}" if move.share else "{:+,.2f}"
            low, high = (signed.format(each) for each in move.interval)
            interval = f"{low} to {high}" if all(map(isfinite, move.interval)) else "none yet"
            results.append(
                f"  {fit_text(move.title, room)}{form.format(move.first):>9} {form.format(move.second):>9}"
                f" {signed.format(move.difference):>9}  {interval:<21}{_chance(move.adjusted):>8}"
            )
    for reference, titles in zip((first, second), only, strict=True):
        if titles:
            text = f"metrics of {reference} only: {', '.join(titles)}"
            results += textwrap.wrap(text, measure_width(), subsequent_indent="  ")
    return [*results, "", *textwrap.wrap(METHOD, measure_width())]


def _chance(chance: float) -> str:
    return "<0.0001" if chance < 0.0001 else f"{chance:.4f}"


Turn = tuple[tuple["Value", ...], str, int, dict[str, "Metric"]]
"""One point of a sweep: the values, the gameplay digest with them, the number of games, and the metrics."""


def sweep_data(ruleset: str, turns: Sequence[Turn]) -> dict[str, Any]:
    """Return the sweep as JSON data."""
    from rulewright.analysis.simulation.simulation_report import keep_finite

    return {
        "ruleset": ruleset,
        "sweep": [
            {
                "values": dict(values),
                "digest": digest,
                "games": games,
                "figures": {
                    metric.id: {"title": metric.title, "value": metric.value, "interval": keep_finite(metric.interval)}
                    for metric in metrics.values()
                },
            }
            for values, digest, games, metrics in turns
        ],
    }


def sweep_text(title: str, turns: Sequence[Turn]) -> list[str]:
    """Return the sweep as lines of text, with a chart over the values for each metric that all turns have.

    There must be at least one turn. Metrics that say nothing are left out, such as the wins of the only bot.
    """
    import textwrap

    from rulewright.analysis.simulation.metrics import SHARED_NOTE

    labels = [_label(values, alone=len(values) == 1) for values, _, _, _ in turns]
    games = {games for _, _, games, _ in turns}
    over = ", ".join(path for path, _ in turns[0][0])
    text = [title, f"{over}: {' to '.join(f'{each:,}' for each in sorted({min(games), max(games)}))} games a value"]
    columns = min(max(map(len, labels), default=0), 32)
    room = measure_width() - columns - 36
    for name in _in_all(turns):
        metrics = [turn[3][name] for turn in turns]
        most = max(abs(metric.value) for metric in metrics) or 1.0
        text += ["", metrics[0].title]
        for label, metric in zip(labels, metrics, strict=True):
            form = "{:.2%}" if metric.share else "{:,.2f}"
            value, low, high = (form.format(each) for each in (metric.value, *metric.interval))
            interval = f"({low} to {high})" if all(map(isfinite, metric.interval)) else NO_INTERVAL
            part = Fraction(max(0.0, metric.value) / most)
            drawn = draw_bar(part, room, blocks=can_show("█▏")) if part else ""
            text.append(f"  {fit_text(label, columns)} {drawn:<{room}} {value:>9}  {interval}")
        if name == "shared":
            text += textwrap.wrap(SHARED_NOTE, measure_width(), initial_indent="  ", subsequent_indent="  ")
    return text


def _in_all(turns: Sequence[Turn]) -> list[str]:
    """Return the ids of the metrics that all turns have, without those that say nothing."""
    first = turns[0][3]
    names = [name for name in first if all(name in turn[3] for turn in turns)]
    # If the same bot has every seat, it wins every game.
    alone = sum(name.startswith("wins.") for name in names) == 1
    # Unfinished games and shared wins are shown only if there are any.
    rare = [name for name in ("shared", "unfinished") if all(name in turn[3] for turn in turns)]
    silent = (
        *(("wins.",) if alone else ()),
        *(name for name in rare if not any(turn[3][name].value for turn in turns)),
    )
    return [name for name in names if not name.startswith(silent)]


def _label(values: tuple[Value, ...], *, alone: bool) -> str:
    return values[0][1] if alone else ", ".join(f"{path.rpartition('.')[2]}={text}" for path, text in values)


def write_files(output: Path | None, report: Path | None, data: dict[str, Any]) -> None:
    """Write the report as HTML to `report` and, if `output` ends in `.json`, the data to `output`.

    Raises `WriteError` after trying all files if any of them cannot be written.
    """
    failed: list[str] = []
    if output is not None and output.suffix == ".json":
        _write(output, json.dumps(data, ensure_ascii=False, indent=2) + "\n", failed)
    if report is not None:
        from rulewright.analysis.simulation.simulation_page import render_page

        _write(report, render_page(data), failed)
    if failed:
        raise WriteError("; ".join(failed))


def _write(path: Path, text: str, failed: list[str]) -> None:
    try:
        write_text(path, text)
    except OSError as error:
        failed.append(describe_write_error(path, error))
