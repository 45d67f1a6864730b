"""A self-contained HTML page of a simulation report, without references to other files or hosts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rulewright.analysis.simulation.simulation_report import MOST_OPTIONS, select_common
from rulewright.base.resources import find_resource

WIDTH = 640
"""The size of a chart in SVG units, which the page scales to fit."""

HEIGHT = 220
MARKS = 6
"""The approximate number of tick marks per axis."""


def render_page(data: dict[str, Any]) -> str:
    """Return the HTML of the page for the data of `simulation_report.report`."""
    environment = Environment(
        loader=FileSystemLoader(find_resource("docs_templates")),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    lengths = [
        {"id": "decisions", "title": "Decisions", **data["lengths"]},
        *({"id": name, **each} for name, each in data["measures"].items()),
    ]
    return environment.get_template("simulation.html.j2").render(
        data=data,
        winners=[
            *(
                _whisker(name, each["wins"], each["games"], each["interval"])
                for name, each in data["wins"].items()
                if len(data["wins"]) > 1
            ),
            *(
                _whisker(f"seat {each['seat']}", each["wins"], data["games"], each["interval"])
                for each in data["wins_by_seat"]
            ),
        ],
        decided=[
            _whisker(each["rule"] or "the last step", each["games"], data["games"], each["interval"])
            for each in data["decided_by"]
        ],
        histograms=[{**each, **draw_histogram(each["histogram"])} for each in lengths],
        curves=[
            {"title": data["measures"].get(name, {}).get("title", name), **draw_curve(select_common(points))}
            for name, points in data["series"].items()
        ],
        questions=[_question(each) for each in data.get("options", ())],
        width=WIDTH,
        height=HEIGHT,
    )


def draw_histogram(bars: Sequence[dict[str, int]]) -> dict[str, Any]:
    """Return the `bars` of a histogram, placed in SVG units, and the tick `marks` of its horizontal axis."""
    most = max((each["games"] for each in bars), default=0) or 1
    step = WIDTH / max(1, len(bars))
    every = max(1, -(-len(bars) // MARKS))
    return {
        "bars": [
            {
                "x": round(place * step + step * 0.06, 1),
                "width": round(step * 0.88, 1),
                "height": round((HEIGHT - 8) * each["games"] / most, 1),
                "label": _range(each),
                "games": each["games"],
            }
            for place, each in enumerate(bars)
        ],
        "marks": [
            {"x": round((place + 0.5) * step, 1), "text": f"{bars[place]['from']:,}"}
            for place in range(0, len(bars), every)
        ],
    }


def draw_curve(points: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the `line` through the means, the `band` of their intervals, and the tick marks of both axes in SVG units.

    `marks` are on the horizontal axis and `heights` on the vertical one. `shown` are about a dozen of the points. All
    are empty without points.
    """
    if not points:
        return {"line": "", "band": "", "marks": [], "heights": [], "shown": []}
    first, last = int(points[0]["at"]), int(points[-1]["at"])
    # Confidence intervals from only a few games would dwarf the curve, so the band is clipped to the means' range.
    most: float = 1.25 * max(point["mean"] for point in points) or 1.0
    least: float = min(0.0, *(point["mean"] for point in points)) if len(points) > 1 else min(0.0, points[0]["mean"])

    def x(at: float) -> float:
        return round(WIDTH * (at - first) / max(1, last - first), 1)

    def y(value: float) -> float:
        share: float = (min(most, max(least, value)) - least) / (most - least)
        return round(HEIGHT - (HEIGHT - 8) * share, 1)

    ends = [(point["at"], *point["interval"]) for point in points if point["interval"] is not None]
    band = [f"{x(at)},{y(high)}" for at, _, high in ends] + [f"{x(at)},{y(low)}" for at, low, _ in reversed(ends)]
    step = _round_step((last - first) / MARKS)
    rise = _round_step((most - least) / 4)
    return {
        "line": " ".join(f"{x(point['at'])},{y(point['mean'])}" for point in points),
        "band": " ".join(band),
        "marks": [{"x": x(at), "text": f"{at:,}"} for at in range(first, last + 1, max(1, round(step)))],
        "heights": [{"y": y(rise * n), "text": f"{rise * n:,.10g}"} for n in range(1, int(most / rise) + 1)],
        "shown": points[:: max(1, -(-len(points) // 12))],
    }


def _question(question: dict[str, Any]) -> dict[str, Any]:
    """Return a decision for the template, whose options have bars for the seats that took them and for the others.

    The first `MOST_OPTIONS` options are `lines`, and the rest `more`. A bar is None without any seat.
    """
    lines = []
    for each in question["options"]:
        took, others, difference = each["takers"], each["others"], each["difference"]
        lines.append(
            {
                **each,
                "took": _whisker("", took["wins"], took["seats"], took["interval"]) if took["seats"] else None,
                "rest": _whisker("", others["wins"], others["seats"], others["interval"]) if others["seats"] else None,
                "differs": bool(difference and (difference[0] > 0 or difference[1] < 0)),
            }
        )
    return {**question, "lines": lines[:MOST_OPTIONS], "more": lines[MOST_OPTIONS:]}


def _whisker(name: str, part: int, whole: int, interval: Sequence[float]) -> dict[str, Any]:
    return {"name": name, "part": part, "whole": whole, "share": part / whole if whole else 0.0, "interval": interval}


def _range(bar: dict[str, int]) -> str:
    return f"{bar['from']:,}" if bar["from"] == bar["to"] else f"{bar['from']:,} to {bar['to']:,}"


def _round_step(least: float) -> float:
    """Return the smallest step of the form 1, 2 or 5 times a power of ten that is at least `least`."""
    power = 1e-6
    while True:
        for step in (power, 2 * power, 5 * power):
            if step >= least:
                return round(step, 9)
        power *= 10
