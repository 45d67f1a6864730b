"""Translations of other dice notations into this one, for suggestions only.

Each is tried on text that is invalid or ambiguous. A translation is suggested only if it is valid. Sources: the
documentation of AnyDice, Troll, Roll20, Foundry VTT and Avrae.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match

from rulewright.dice.ast import build_die
from rulewright.dice.limits import DEFAULT
from rulewright.dice.parser.exploding_and_rerolled_dice import EXPLOSIONS, build_exploding_die
from rulewright.dice.parser.explosion_rewrites import rewrite_counted, rewrite_dropped, rewrite_keep

_POOL = r"(?P<pool>[0-9]*\s*d(?:[0-9]+|%|F|\{[^{}]*\}))"
_CONDITION = r"(?P<test>(?:[<>]=?|=)?\s*[0-9]+)"

_LIST = r"[0-9]+(?:\.\.[0-9]+)?(?:,[0-9]+(?:\.\.[0-9]+)?)*"

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "==", "": "=="}


def _test(written: str) -> str:
    """Return a condition with the operator spelled as here: `=6` and `6` are `== 6`."""
    match = re.fullmatch(r"\s*([<>]=?|=)?\s*([0-9]+)", written)
    assert match is not None
    return f"{'==' if match[1] in (None, '=') else match[1]} {match[2]}"


def _format_braced(written: str) -> str:
    """Return a condition in braces: `{6}`, `{>=5}`."""
    return "{" + _test(written).replace("== ", "").replace(" ", "") + "}"


def _count(pool: str, test: str) -> str:
    return f"count({pool.strip()} {_test(test)})"


def _rewrite_listed_count(result: Match[str]) -> str:
    """Return a count of the dice that show one of the listed faces.

    Returns the match unchanged if the list cannot be read, or if it has several faces and the dice are not ordinary.
    """
    faces = result["faces"].replace(" ", "")
    if re.fullmatch(r"[0-9]+", faces):
        return f"count({result['pool']} == {faces})"
    sides = _sides(result["pool"])
    if re.fullmatch(_LIST, faces) is None or not sides:
        return result[0]
    numbers: set[int] = set()
    for part in faces.split(","):
        first, _, last = part.partition("..")
        numbers |= set(range(int(first), min(int(last or first), sides) + 1))
    if max(numbers, default=0) == sides and len(numbers) == sides + 1 - min(numbers):
        return f"count({result['pool']} >= {min(numbers)})"
    return _rewrite_faces(result, {1: numbers})


def _sides(pool: str) -> int:
    """Return how many sides the ordinary dice of a pool have, or 0 for others, and for more than are written out."""
    sides = re.search(r"d([0-9]{1,3})$", pool)
    return int(sides[1]) if sides else 0


def _rewrite_faces(result: Match[str], faces_by_value: dict[int, set[int]]) -> str:
    """Return the matched dice with `faces_by_value` as faces, and 0 for the other faces.

    Returns the match unchanged if the dice have too few faces.
    """
    sides = _sides(result["pool"])
    faces = {value: len(counted & set(range(1, sides + 1))) for value, counted in faces_by_value.items()}
    faces[0] = sides - sum(faces.values())
    written = ", ".join(
        f"{value}: {ways}" if ways > 1 else str(value) for value, ways in sorted(faces.items()) if ways > 0
    )
    return f"{result['pool'].partition('d')[0]}d{{{written}}}" if sides and faces[0] >= 0 else result[0]


def _rewrite_kept_faces(result: Match[str]) -> str:
    """Return dice kept or dropped by their faces. The faces that are dropped count 0.

    Returns the match unchanged for dice that are not ordinary.
    """
    sides, number = _sides(result["pool"]), int(result["number"])
    tests = {"<": range(1, number), ">": range(number + 1, sides + 1), "": range(number, number + 1)}
    matching = set(tests[result["operator"]])
    saved = matching if result["verb"].lower() == "k" else set(range(1, sides + 1)) - matching
    return _rewrite_faces(result, {face: {face} for face in saved if 1 <= face <= sides})


def _successes(result: Match[str]) -> str:
    """Return dice that count 1 from `hit` on, and -1 up to `miss`."""
    sides, hit, miss = _sides(result["pool"]), int(result["hit"]), int(result["miss"] or 1)
    if miss >= hit:
        return result[0]
    return _rewrite_faces(result, {-1: set(range(1, miss + 1)), 1: set(range(hit, sides + 1))})


def _even(result: Match[str]) -> str:
    return _rewrite_faces(
        result, {1: set(range(2 if result["which"].lower() == "even" else 1, _sides(result["pool"]) + 1, 2))}
    )


def _in_words(result: Match[str]) -> str:
    """Return the dice that a phrase such as "keep highest 2" keeps or drops."""
    side = {"h": "h", "b": "h", "l": "l", "w": "l", "m": "m"}[result["side"][0].lower()]
    return f"{result['pool'].strip()}{result['verb'][0].lower()}{side}{result['number'] or 1}"


def _translate_exploding(result: Match[str]) -> str:
    """Return a die that explodes. `1d6x2` is left alone, since that may be twice the die too."""
    highest = result["pool"].partition("d")[2]
    if result["verb"] == "x" and result["test"].strip().isdigit() and result["test"].strip() != highest:
        return result[0]
    return f"{result['pool']}!" + ("" if result["test"].strip() == highest else _format_braced(result["test"]))


class UnsayableError(Exception):
    """The notation has no equivalent here, and any similar roll would be a different one.

    The message explains why.
    """


_ONE_DIE = (
    "in other programs each die of an explosion is a separate die, which this notation can express only for a few dice "
    "that explode on their highest face alone; here an exploding die is one die, as in 5d6!{>=5}kh3"
)


def _by_itself(result: Match[str], roll: str | None) -> str:
    """Return `roll`, in parentheses if there is other text around it. Raises UnsayableError if it is None."""
    if roll is None:
        raise UnsayableError(_ONE_DIE)
    return roll if result[0].strip() == result.string.strip() else f"({roll})"


def _single_dice(result: Match[str]) -> str:
    """Return the translation of exploding dice that are kept or dropped.

    In other programs each die of an explosion counts separately. Returns the match unchanged if it does not mean that.
    Raises `UnsayableError` if it has no translation.
    """
    is_avrae = result["verb"].lower() == "e"
    if result["letters"].lower() == "k" if is_avrae else result["letters"][0].lower() == "p":
        return result[0]  # in Avrae `k6` keeps dice by face, and in the others `p` does not drop dice
    count, sides = int(result["count"] or 1), int(result["sides"])
    condition = (result["test"] or "").replace(" ", "")
    if condition not in ("", str(sides), f"={sides}", f">={sides}") or not 2 <= sides <= 1_000:
        raise UnsayableError(_ONE_DIE)
    one = build_die(sides)
    grown = build_exploding_die(one, frozenset((sides,)), EXPLOSIONS, f"{one.name}!", DEFAULT)
    letters, number = result["letters"].lower(), int(result["number"])
    letters += "h" if letters == "k" else ""
    letters = letters.replace("p", "d")
    make = rewrite_keep if letters[0] == "k" else rewrite_dropped
    return _by_itself(result, make(count, grown, number, highest=letters[1] == "h"))


def _single_successes(result: Match[str]) -> str:
    """Return the translation of exploding dice that are counted, each die of an explosion separately.

    Raises `UnsayableError` for dice whose explosions cannot be written in this notation.
    """
    count, sides = int(result["count"] or 1), int(result["sides"])
    if not 2 <= sides <= 1_000 or (result["on"] and int(result["on"]) != sides):
        raise UnsayableError(_ONE_DIE)
    one = build_die(sides)
    grown = build_exploding_die(one, frozenset((sides,)), EXPLOSIONS, f"{one.name}!", DEFAULT)
    operator, _, number = _test(result["test"]).partition(" ")
    return _by_itself(result, rewrite_counted(count, grown, operator, int(number)))


def _without_ends(result: Match[str]) -> str:
    """Return dice of which the lowest or highest are taken away: `4d6-L`."""
    off = result["off"].upper()
    ends = ((off.count("L"), "dl"), (off.count("H"), "dh"))
    return result["pool"].strip() + "".join(f"{letters}{number}" for number, letters in ends if number)


def _one_more(result: Match[str]) -> str:
    """Return one die more, where any shows a face: Avrae's `ra` adds one for all of them together."""
    one = result["pool"].partition("d")[2]
    test = _test(result["test"])
    return _by_itself(result, f"{result['pool'].strip()} as x: x + (1d{one} if count(x {test}) else 0)")


def _translate_limits(result: Match[str]) -> str:
    """Return a die whose faces below, or above, a limit are replaced by the limit.

    Returns the match unchanged if the die has no such face, or too many faces.
    """
    sides, limit = int(result["sides"]), int(result["limit"])
    if not 1 <= limit <= sides <= 1_000:
        return result[0]
    if result["which"] == "mi":
        faces = f"{limit}: {limit}, {limit + 1}..{sides}" if limit < sides else str(sides)
    else:
        faces = f"1..{limit - 1}, {limit}: {sides - limit + 1}" if limit > 1 else "1"
    return f"{result['count']}d{{{faces}}}{result['kept']}"


def _highest(pool: str, places: str, written: str) -> str:
    """Return the highest dice, where their places are 1, 2 and so on."""
    numbers = [int(place) for place in places.split(",")]
    return f"{pool}kh{len(numbers)}" if numbers == list(range(1, len(numbers) + 1)) else written


Rewrite = tuple[re.Pattern[str], str | Callable[[Match[str]], str]]


def _rewrite(pattern: str, replacement: str | Callable[[Match[str]], str]) -> Rewrite:
    return re.compile(pattern, re.IGNORECASE), replacement


REWRITES: tuple[Rewrite, ...] = (
    # Commands around a roll, and comments after it.
    _rewrite(r"^(.*[^\s0-9].*?)\s*#(?!.*d\s*[0-9{%])[^0-9].*$", r"\1"),
    _rewrite(r"^\s*(?:output|/roll|/r|!roll|!r|roll)\s+(.*?)(?:\s+named\s+\".*)?$", r"\1"),
    _rewrite(r"^\s*\[\[(.*)\]\]\s*$", r"\1"),
    _rewrite(r"\[(?!\s*(?:highest|lowest|middle|count|explode|maximum|absolute))[^\[\]]*\]\s*$", ""),
    _rewrite(r"^\s*!?rr\s+([0-9]+)\s+(.+)$", r"\1 times \2"),
    # Plain English.
    _rewrite(
        rf"{_POOL}\s*,?\s*(?P<verb>keep|drop)(?:\s+the)?\s+(?P<side>highest|best|lowest|worst|middle)"
        r"(?:\s+(?P<number>[0-9]+))?",
        _in_words,
    ),
    _rewrite(rf"{_POOL}\s*,?\s*(?:highest|best)\s+([0-9]+)", r"\g<pool>kh\2"),
    _rewrite(rf"{_POOL}\s*,?\s*(?:lowest|worst)\s+([0-9]+)", r"\g<pool>kl\2"),
    _rewrite(r"^\s*if\s+(.+?)\s+then\s+(.+?)\s+else\s+(.+)$", r"\2 if \1 else \3"),
    _rewrite(r"^\s*([^?:]+?)\s*\?\s*([^?:]+?)\s*:\s*([^?:]+?)\s*$", r"\2 if \1 else \3"),
    _rewrite("÷", "/"),
    _rewrite(r"\bplus\b", "+"),
    _rewrite(r"\bminus\b", "-"),
    _rewrite(r"\bvs\.?\s+([0-9]+)\s*$", r">= \1"),
    _rewrite(rf"\bsum\(\s*{_POOL}\s*\)", r"\g<pool>"),
    _rewrite(r"\bsum\(([^()]+)\)", r"(\1)"),
    _rewrite(r"d\{\s*([0-9]+)\s*-\s*([0-9]+)\s*\}", r"d{\1..\2}"),
    _rewrite(rf"\b(?:highest|best)\(\s*{_POOL}\s*\)", r"\g<pool>kh1"),
    _rewrite(rf"\b(?:lowest|worst)\(\s*{_POOL}\s*\)", r"\g<pool>kl1"),
    _rewrite(rf"\b(?:median|middle)\(\s*{_POOL}\s*\)", r"\g<pool>km1"),
    # AnyDice.
    _rewrite(rf"\[\s*highest\s+([0-9]+)\s+of\s+{_POOL}\s*\]", r"\g<pool>kh\1"),
    _rewrite(rf"\[\s*lowest\s+([0-9]+)\s+of\s+{_POOL}\s*\]", r"\g<pool>kl\1"),
    _rewrite(rf"\[\s*middle\s+([0-9]+)\s+of\s+{_POOL}\s*\]", r"\g<pool>km\1"),
    _rewrite(r"\[\s*highest\s+of\s+([^\[\]]+?)\s+and\s+([^\[\]]+?)\s*\]", r"max(\1, \2)"),
    _rewrite(r"\[\s*lowest\s+of\s+([^\[\]]+?)\s+and\s+([^\[\]]+?)\s*\]", r"min(\1, \2)"),
    _rewrite(rf"\[\s*count\s+\{{?(?P<faces>[0-9., ]+)\}}?\s+in\s+{_POOL}\s*\]", _rewrite_listed_count),
    _rewrite(r"([0-9]*)\[\s*explode\s+(d[0-9]+)\s*\]", r"\1\2!x2"),
    _rewrite(r"\[\s*absolute\s+([^\[\]]+?)\s*\]", r"abs(\1)"),
    _rewrite(rf"([0-9]+)\s*@\s*{_POOL}", lambda match: f"{match['pool']}kh1" if match[1] == "1" else match[0]),
    _rewrite(
        rf"\{{\s*(1(?:\s*,\s*[0-9]+)+)\s*\}}\s*@\s*{_POOL}",
        lambda match: _highest(match["pool"], match[1], match[0]),
    ),
    _rewrite(rf"\b(?:the\s+)?(?:highest|best)\s+([0-9]+)\s+of\s+{_POOL}", r"\g<pool>kh\1"),
    _rewrite(rf"\b(?:the\s+)?(?:lowest|worst)\s+([0-9]+)\s+of\s+{_POOL}", r"\g<pool>kl\1"),
    # Troll.
    _rewrite(rf"count\s*\(?\s*different\s+{_POOL}\s*\)?", r"different(\g<pool>)"),
    _rewrite(rf"(?:sum\s+)?largest\s+([0-9]+)\s+{_POOL}", r"\g<pool>kh\1"),
    _rewrite(rf"(?:sum\s+)?least\s+([0-9]+)\s+{_POOL}", r"\g<pool>kl\1"),
    _rewrite(rf"count\s+([0-9]+)\s*(=|<=?|>=?)\s*{_POOL}", lambda f: f"count({f['pool']} {_MIRRORED[f[2]]} {f[1]})"),
    _rewrite(rf"\bmax\s+{_POOL}", r"\g<pool>kh1"),
    _rewrite(rf"\bmin\s+{_POOL}", r"\g<pool>kl1"),
    _rewrite(rf"\bmedian\s+{_POOL}", r"\g<pool>km1"),
    _rewrite(r"\bsum\s+(.*)$", r"\1"),
    _rewrite(r"([0-9]+)\s*#\s*(.+)$", r"\1 times \2"),
    _rewrite(r"\baccumulate\s+\w+\s*:=\s*d([0-9]+)\s+(?:until\s+\w+\s*<\s*\1|while\s+\w+\s*=\s*\1)", r"d\1!"),
    # Suffixes of Roll20, Foundry and Avrae, and `t7` of chat bots.
    _rewrite(
        r"(?P<count>[0-9]*)d(?P<sides>[0-9]{1,4})\s*(?P<verb>x|e|!(?!!))\s*(?P<test>(?:[<>]?=?)?\s*[0-9]+)?"
        r"\s*(?P<letters>k[hl]?|[dp][hl])\s*(?P<number>[0-9]{1,3})\b",
        _single_dice,
    ),
    _rewrite(
        rf"(?P<count>[0-9]*)d(?P<sides>[0-9]{{1,4}})\s*(?:x|e)\s*(?:>?=?\s*(?P<on>[0-9]+))?\s*cs\s*{_CONDITION}",
        _single_successes,
    ),
    _rewrite(rf"{_POOL}(?P<off>(?:\s*-\s*[LH])+)(?![A-Za-z0-9_])", _without_ends),
    _rewrite(rf"{_POOL}\s*t\s*([0-9]+)\b", lambda match: f"count({match['pool']} >= {match[2]})"),
    _rewrite(rf"{_POOL}\s*>=?\s*(?P<hit>[0-9]{{1,3}})\s*f\s*(?:1\b|<\s*(?P<miss>[0-9]{{1,3}}))", _successes),
    _rewrite(rf"{_POOL}\s*(?P<which>even|odd)\b", _even),
    _rewrite(rf"{_POOL}\s*(?P<verb>k|p)\s*(?P<operator>[<>]?)\s*(?P<number>[0-9]{{1,3}})\b", _rewrite_kept_faces),
    _rewrite(rf"{_POOL}\s*r=", r"\g<pool>ro"),
    _rewrite(rf"{_POOL}\s*c[sf]\s*{_CONDITION}", lambda match: _count(match["pool"], match["test"])),
    _rewrite(rf"{_POOL}\s*s[ad]?(?=$|[\s+*-])", r"\g<pool>"),
    _rewrite(rf"{_POOL}\s*(?:xo)\s*{_CONDITION}", lambda f: f"{f['pool']}!{_format_braced(f['test'])}x1"),
    _rewrite(rf"{_POOL}\s*(?P<verb>x|e)\s*{_CONDITION}", _translate_exploding),
    _rewrite(rf"{_POOL}\s*x(?=$|[\s+*-])", r"\g<pool>!"),
    _rewrite(rf"{_POOL}\s*ra\s*{_CONDITION}", _one_more),
    _rewrite(
        r"(?P<count>[0-9]*)d(?P<sides>[0-9]+)\s*(?P<kept>(?:[kd][hl][0-9]+)?)\s*(?P<which>mi|ma)[nx]?\s*(?P<limit>[0-9]+)",
        _translate_limits,
    ),
    _rewrite(rf"{_POOL}\s*p([hl])\s*([0-9]+)", r"\g<pool>d\2\3"),
    _rewrite(r"\b1?d20\s*adv(?:antage)?\b", "2d20kh1"),
    _rewrite(r"\b1?d20\s*dis(?:advantage)?\b", "2d20kl1"),
    _rewrite(r"\badv(?:antage)?\b", "2d20kh1"),
    _rewrite(r"\bdis(?:advantage)?\b", "2d20kl1"),
    _rewrite(r"\b(?:floor)\(([^()]+)\)", r"down(\1)"),
    _rewrite(r"\b(?:ceil)\(([^()]+)\)", r"up(\1)"),
    _rewrite(r"\b(?:round)\(([^()]+)\)", r"nearest(\1)"),
    _rewrite(r"\bdZ\b", "d{0..9}"),
)
"""The rewrites from other notations, applied in order, each to the result of the previous ones."""


def rewrite_dialect(text: str, reads: Callable[[str], bool]) -> str | None:
    """Return `text` in this notation if it is in a known notation of another program, or None.

    The translations are made one after the other, until `reads` returns True for the text. Raises `UnsayableError` for
    notation that is known but has no translation.
    """
    for pattern, replacement in REWRITES:
        result = pattern.sub(replacement, text, count=1)
        if result != text:
            text = result.strip()
            if reads(text):
                return text
    return None
