"""The semantic actions of `grammar/dice.lark`, which build the tree of a roll.

The public entry point is `rulewright.dice.parser.notation`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from rulewright.base.lalr_parser import Word, place, strip_word
from rulewright.dice.ast import (
    DICE_TOGETHER,
    MATCHES,
    ROUNDINGS,
    Absolute,
    Comparison,
    Constant,
    Count,
    Die,
    Either,
    Group,
    Keep,
    Matching,
    Maximum,
    Minimum,
    Multiplied,
    Named,
    Negation,
    Pool,
    Product,
    Quotient,
    Roll,
    Several,
    Sum,
    Trim,
    Variable,
    build_die,
    count_results,
    multiply_roll,
    negate,
    split_trimmed,
    sum_of,
)
from rulewright.dice.dice_context import DiceContext, RollFunction
from rulewright.dice.dice_error import LIMIT_HELP
from rulewright.dice.format_notation import format_roll
from rulewright.dice.limits import DiceLimits
from rulewright.dice.parser.braced_lists import COUNT, list_braced_numbers, refuse_list, suggest_counting
from rulewright.dice.parser.comparison_logic import CONDITION_WORDS
from rulewright.dice.parser.die_forms import DieForms, build_refusal, fail
from rulewright.dice.parser.roll_names import NameBinding, find_binding, list_in_reach, make_fresh_name
from rulewright.dice.parser.variable_sides import MOST_SIDES, by_sides, count_sides, map_over_sides
from rulewright.dice.substitute import free_names

COMMON_DICE = ("d4", "d6", "d8", "d10", "d12", "d20", "d100")
"""The suggestions for an unknown die if the ruleset has no similar one."""

FUNCTIONS = ("max", "min", "abs", *ROUNDINGS, "count", *MATCHES)
"""The functions of the notation."""

_LIKE_FIGURES = str.maketrans("lIOoSB", "110058")
_FATE = Die((-1, 0, 1), "dF")
_HUNDRED = 100
_MOST_NAMED = 100
_NO_NAMED_DICE = "named dice belong to a ruleset; write its name first: `GAME/EDITION ROLL`"


def _members(roll: Roll) -> tuple[tuple[int, Roll], ...]:
    """Return the members that a roll adds to a group. A group adds its own members."""
    return roll.members if isinstance(roll, Group) else ((1, roll),)


def _name_example_dice(function: RollFunction) -> str:
    return "1d20" if len(function.names) == 1 else f"{len(function.names)}d6"


def _factors(roll: Roll) -> tuple[Roll, ...]:
    return roll.rolls if isinstance(roll, Multiplied) else (roll,)


def _number(roll: Roll) -> int | None:
    """Return the value of a constant or a sum of constants, or None for any other roll."""
    if isinstance(roll, Constant):
        return roll.value
    if isinstance(roll, Sum) and all(isinstance(term, Constant) for term in roll.terms):
        return sum(term.value for term in roll.terms if isinstance(term, Constant))
    return None


def _magnitude(roll: Roll) -> int:
    """Return the greatest absolute value among the products of nested factors and constants in `roll`.

    Dice count as 1. The result is 0 if every product has a factor of 0.
    """
    if isinstance(roll, Constant):
        return abs(roll.value)
    if isinstance(roll, Product):
        return abs(roll.factor) * _magnitude(roll.roll)
    if isinstance(roll, Negation):
        return _magnitude(roll.term)
    inner = roll.terms if isinstance(roll, Sum) else roll.rolls if isinstance(roll, Maximum | Minimum) else ()
    return max(map(_magnitude, inner), default=1)


class Notation(DieForms):
    """The semantic actions of the grammar, called bottom-up during parsing.

    Errors have offsets, and the caller adds the text.
    """

    __slots__ = ("_bindings", "_dice", "_functions", "_listing", "_rounded", "_rounding", "_sided")

    def __init__(self, text: str, words: DiceContext, limits: DiceLimits) -> None:
        super().__init__(text, limits)
        self._dice = words.dice
        self._functions = words.functions
        self._rounding = words.rounding
        # The names in scope, innermost last.
        self._bindings: list[NameBinding] = [NameBinding(words.names)] if words.names else []
        # The divisions with a rounding function around them.
        self._rounded: list[Quotient] = []
        # The rolls whose dice have a rolled number of sides.
        self._sided: list[Roll] = []
        # The first comparison with a list of numbers, refused at the end unless an enclosing rule refused it first.
        self._listing: tuple[Comparison, Word] | None = None

    def start(self, roll: Roll) -> Roll:
        """Return the whole roll.

        Raises `DiceError` for a comparison with a list of numbers that nothing has refused before.
        """
        if self._listing is not None:
            comparison, sign = self._listing
            message, instead = refuse_list(comparison, set(list_in_reach(self._bindings)))
            if instead is None:
                fail("dice-ambiguous", message, sign, help="compare with one number")
            if roll is comparison:
                fail("dice-ambiguous", message, sign, suggestion=instead)
            fail("dice-ambiguous", message, sign, help=f"compare each number separately: {instead}")
        return roll

    # Conditions and named rolls

    def either(self, then: Roll, sign: Word, condition: Roll, other: Word, otherwise: Roll) -> Roll:
        return Either(condition, then, otherwise)

    def names(self, *parts: Any) -> list[Word]:
        return [parts[0]] if len(parts) == 1 else [*parts[0], parts[1]]

    def bound(self, source: Roll, sign: Word, words: list[Word]) -> tuple[tuple[str, ...], Roll]:
        """Bind names to a roll or its dice until `named`, and return both.

        Raises `DiceError` for a repeated name, one that a die of another roll has, or another number of names than of
        dice.
        """
        names = tuple(map(strip_word, words))
        for at, word in enumerate(words):
            if names.index(strip_word(word)) < at:
                fail("dice-ambiguous", f"{strip_word(word)} is the name of two dice", word)
        self._check_names(names, source, words[-1])
        for word in words:
            owner = next((each for each in self._bindings if strip_word(word) in each.dice), None)
            if owner is not None:
                fail("dice-ambiguous", f"{strip_word(word)} is the name of one of the dice of {owner.names[0]}", word)
        self._bindings.append(NameBinding(names, source))
        return names, source

    def _check_names(self, names: tuple[str, ...], source: Roll, at: Word) -> None:
        """Raise `DiceError` if there are several names, but not as many as results of `source`."""
        if len(names) == 1:
            return
        there = count_results(source)
        if there is None:
            help = "several names need several dice; the first name is for the highest: 3d6 as a, b, c: …"
            fail("dice-unsupported", "this is a single result, which takes only one name", at, help=help)
        if there != len(names):
            message = f"{len(names)} names for {there} {'die' if there == 1 else 'dice'}"
            fail("dice-count", message, at, help="name every die; the first name is for the highest")

    def named(self, bound: tuple[tuple[str, ...], Roll], body: Roll) -> Roll:
        """Return the roll that binds names in `body`, and end the scope of the names.

        If `body` uses the dice of the name one by one, each gets a name.
        """
        names, source = bound
        dice = self._bindings.pop().dice
        if not dice:
            return Named(names, source, body)
        # The dice are used one by one, so each gets a name, and the name in the text means their sum.
        if names[0] in free_names(body):
            body = Named(names, sum_of(map(Variable, dice)), body)
        return Named(dice, source, body)

    def _dice_of(self, roll: Roll, at: Word) -> Roll:
        """Return the separate results of a named roll that is used as dice. Other rolls are returned unchanged.

        Names the results on first use. Raises `DiceError` for too many of them.
        """
        binding = find_binding(roll, self._bindings)
        if binding is None or binding.source is None or len(binding.names) > 1:
            return roll
        count = count_results(binding.source)
        if count is None:
            return roll
        if count > _MOST_NAMED:
            message = f"{count} dice are more than the {_MOST_NAMED} that can be named one by one"
            fail("dice-limit", message, at)
        if not binding.dice and count > 1:
            binding.name_dice(count, list_in_reach(self._bindings))
        return Group(tuple((1, Variable(name)) for name in binding.dice or binding.names))

    def variable(self, word: Word) -> Roll:
        """Return the roll of a name, or of a function without parameters. Raises `DiceError` for any other name."""
        name = strip_word(word)
        if name in list_in_reach(self._bindings):
            return Variable(name)
        function = self._functions.get(name)
        if function is not None and not function.names:
            return function.body
        if function is not None:
            fail("dice-count", f"{name} needs a roll: {name}({_name_example_dice(function)})", word)
        like = name.translate(_LIKE_FIGURES)
        if like in COMMON_DICE:
            fail("unknown-die", f"there is no die {name}", word, suggestion=self._replace_text(word, like))
        known = [*list_in_reach(self._bindings), *self._functions]
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
        help = "name a roll before you use it: 1d20 as x: x + 2" if not known else None
        suggestion = self._replace_text(word, near[0]) if near else None
        raise build_refusal(
            "unknown-die", f"there is no roll called `{name[:30]}`", word, suggestion=suggestion, help=help
        )

    def call(self, word: Word, rolls: list[Roll]) -> Roll:
        """Return a call of a function of the rules. Raises `DiceError` for an unknown name or unsuitable arguments."""
        name = strip_word(word)
        function = self._functions.get(name)
        if function is not None:
            if not function.names:
                fail("dice-count", f"{name} is a complete roll and takes no arguments", word)
            if len(rolls) != 1:
                fail("dice-count", f"{name} takes one roll, not {len(rolls)}", word)
            self._check_names(function.names, rolls[0], word)
            return Named(function.names, rolls[0], function.body)
        near = difflib.get_close_matches(name.lower(), [*FUNCTIONS, *self._functions], n=1, cutoff=0.5)
        is_word = name.lower() in CONDITION_WORDS
        if is_word:
            near = CONDITION_WORDS[name.lower()]
        suggestion = self._replace_text(word, near[0]) if near else None
        help = None if near or is_word else f"the functions are {', '.join([*FUNCTIONS, *self._functions])}"
        raise build_refusal(
            "unknown-die", f"there is no function `{name[:30]}`", word, suggestion=suggestion, help=help
        )

    # Numbers and dice

    def constant(self, number: Word) -> Roll:
        return Constant(self._integer(number, strip_word(number), self._limits.constant, ""))

    def single(self, die: Die) -> Pool:
        return Pool(1, die)

    def pool(self, number: Word, die: Die) -> Pool:
        count = self._integer(number, strip_word(number), self._limits.dice, "dice")
        if count == 0:
            fail("dice-count", "a roll needs at least one die", number)
        return Pool(count, die)

    def rolled(self, count: Roll, die: Die) -> Roll:
        return self._several(count, Pool(1, die))

    def sided(self, *parts: Any) -> Roll:
        """Return dice whose number of sides is a roll, made once for all of them.

        Raises `DiceError` if the number is unknown, can be below 1 or too large, or has too many values.
        """
        *before, opening, sides = parts
        count = before[0] if before and isinstance(before[0], Roll) else None
        number = 1 if not before else 0 if count is not None else self.pool(before[0], _FATE).count

        def of(faces: int) -> Roll:
            if faces > self._limits.faces:
                fail("dice-limit", f"{faces} faces are more than the {self._limits.faces} allowed", opening)
            return Pool(number, build_die(faces)) if count is None else self._several(count, Pool(1, build_die(faces)))

        values = count_sides(sides, self._bindings)
        if values is None:
            help = "a function does not know the bounds of its parameters: roll the die outside and pass the result"
            fail("dice-unsupported", "the number of sides is not known here", opening, help=help)
        if values[0] < 1:
            message = f"a die needs at least one face, but {format_roll(sides)} can be {values[0]}"
            fail("dice-count", message, opening, help=f"to ensure one face, write max({format_roll(sides)}, 1)")
        if len(values) == 1:
            return of(values[0])
        if len(values) > MOST_SIDES:
            message = f"{len(values)} numbers of sides are more than the {MOST_SIDES} allowed"
            fail("dice-limit", message, opening, help=LIMIT_HELP)
        roll = map_over_sides(sides, values, of, make_fresh_name("sides", list_in_reach(self._bindings)))
        self._sided.append(roll)
        return roll

    def _by_sides(self, roll: Roll, make: Callable[[Roll], Roll]) -> Roll | None:
        """Return `make` applied to dice with a rolled number of sides, for each number, or None for other rolls."""
        if not any(roll is each for each in self._sided):
            return None
        result = by_sides(roll, make)
        self._sided.append(result)
        return result

    def _several(self, count: Roll, roll: Roll) -> Roll:
        number = _number(count)
        if number is None:
            return Several(count, roll)
        return Group(((number, roll),)) if number > 1 else roll if number == 1 else Constant(0)

    def kind(self, token: Word) -> Die:
        """Return the die of a name such as `d6`, `d%` or a name of the rules.

        Raises `DiceError` for an unknown name, for too many sides or none, and if `d%` could also mean a die of the
        rules.
        """
        name = strip_word(token)
        if name in self._dice:
            return self._dice[name]
        if name[1:].isdigit():
            sides = self._integer(token, name[1:], self._limits.faces, "faces")
            if sides == 0:
                hundred = self._replace_text(token, "d100") if name[1:] == "00" else None
                fail("dice-count", "a die needs at least one face", token, suggestion=hundred)
            return build_die(sides)
        if name in ("dF", "df"):
            return _FATE
        if name == "d%":
            own = [each for each, its in self._dice.items() if max(its.faces) == _HUNDRED]
            if own:
                message = f"d% could mean d100 or {own[0]}, which also goes up to 100 here"
                fail("dice-ambiguous", message, token, suggestion=self._replace_text(token, own[0]))
            return build_die(_HUNDRED)
        # Suggest a similar name, but a common die only if a letter was typed in place of a digit.
        near = difflib.get_close_matches(name, self._dice, n=1, cutoff=0.4)
        near = near or [common for common in COMMON_DICE if name.translate(_LIKE_FIGURES) == common]
        known = ", ".join(sorted(self._dice))
        raise build_refusal(
            "unknown-die",
            f"there is no die {name}",
            token,
            suggestion=self._replace_text(token, near[0]) if near else None,
            help=f"the named dice are {known}" if known else None if near else _NO_NAMED_DICE,
        )

    # Groups of dice, keeping and dropping

    def group(self, rolls: list[Roll]) -> Roll:
        """Return the group of the rolls in braces. A sum of pools becomes a group of their dice.

        Any other single roll is returned itself, because braces around it mean the same as parentheses.
        """
        if len(rolls) > 1:
            return Group(tuple(member for roll in rolls for member in _members(roll)))
        [roll] = rolls
        terms = roll.terms if isinstance(roll, Sum) else ()
        pools = [term for term in terms if isinstance(term, Pool)]
        if not terms or len(pools) < len(terms):
            return roll  # braces around one result mean the same as parentheses
        return Group(tuple((pool.count, Pool(1, pool.die)) for pool in pools))

    def repeated(self, count: Roll, sign: Word, roll: Roll) -> Roll:
        number = _number(count)
        if number is not None and not 0 <= number <= self._limits.dice:
            fail("dice-limit", f"{number} times is not between 0 and {self._limits.dice}", sign, help=LIMIT_HELP)
        return self._several(count, roll)

    def keep(self, pool: Roll, selection: Word) -> Roll:
        """Return dice of which some are kept or dropped, as a `Keep` or a `Trim`.

        A group of which all are kept is unchanged.

        Raises `DiceError` for a single result, a rolled number of dice, and a selection that is unclear or impossible.
        """
        of_sides = self._by_sides(pool, lambda dice: self.keep(dice, selection))
        if of_sides is not None:
            return of_sides
        pool = self._dice_of(pool, selection)
        if isinstance(pool, Several):
            from rulewright.dice.parser.rewrite_hints import suggest_keeping

            message = "dice cannot be kept or dropped if their number is rolled"
            fail("dice-unsupported", message, selection, help=suggest_keeping(pool, strip_word(selection)))
        if not isinstance(pool, DICE_TOGETHER):
            help = "to choose from the dice of several pools, put nothing but dice in braces: {4d6 + 2d8}kh3"
            fail("dice-unsupported", "this is a single result, not several dice to choose from", selection, help=help)
        chosen, low, high = split_trimmed(pool)
        number, letters = self._selection(pool, chosen.count - low - high, selection)
        left = chosen.count - low - high
        saved = number if letters[0] == "k" else left - number
        if number < 1 or not 1 <= saved <= left:
            most = left if letters[0] == "k" else left - 1
            verb = "keep" if letters[0] == "k" else "drop"
            done = "kept" if letters[0] == "k" else "dropped"
            allowed = f"{f'1 to {most}' if most > 1 else 'only 1' if most == 1 else 'none'} can be {done}"
            what = "dice" if isinstance(chosen, Pool) else "results"
            advice = "each of several rolls in braces is one result; to choose from single dice, add them: {4d6 + 2d8}"
            message = f"cannot {verb} {number} of {left} {what}: {allowed}"
            fail("dice-count", message, selection, help=None if isinstance(chosen, Pool) else advice)
        if letters == "km":
            if (left - saved) % 2:
                fail("dice-count", f"{left} dice have no middle {saved}", selection)
            low, high = low + (left - saved) // 2, high + (left - saved) // 2
        # Dropping the lowest keeps the highest.
        highest = (letters[1] == "h") == (letters[0] == "k")
        if letters != "km":
            low, high = (low + left - saved, high) if highest else (low, high + left - saved)
        if isinstance(chosen, Pool) and not (low and high):
            return Keep(chosen, chosen.count - low - high, highest if low == high else not high)
        return Trim(chosen, low, high) if low or high else chosen

    def _selection(self, pool: Roll, count: int, selection: Word) -> tuple[int, str]:
        """Return the number of dice and the letters of a selection such as `kh2`.

        Raises `DiceError` if one of the two is missing, mostly with a suggestion, if the middle dice are dropped, or if
        the number is above the limit.
        """
        chosen = strip_word(selection)
        letters = chosen.rstrip("0123456789").rstrip()
        digits = chosen[len(letters) :].lstrip()
        verb = "keep" if letters[0] == "k" else "drop"
        if letters == "dm":
            fail("dice-unsupported", "the middle dice can be kept, but not dropped", selection)
        if len(letters) == 1 or not digits:
            if letters == "d" and digits and int(digits[:9]) >= count:
                message = f"{chosen} after a roll drops dice from it, but it does not have that many"
                start, end = place(selection)
                both = f"{self._text[:start].rstrip()} + {chosen}{self._text[end:]}"
                fail("dice-ambiguous", message, selection, suggestion=both)
            if not digits and self._text[place(selection)[1] :].lstrip().startswith(("<", ">", "=")):
                # No suggestion here, because the author probably wants to choose dice by their faces.
                fail("dice-ambiguous", f"{chosen} does not say how many dice to {verb}", selection)
            side = letters if len(letters) == 2 else letters + ("h" if verb == "keep" else "l")
            doubt = f"whether to {verb} the highest or the lowest" if len(letters) == 1 else f"how many dice to {verb}"
            repaired = self._replace_text(selection, side + (digits or "1"))
            fail("dice-ambiguous", f"{chosen} does not say {doubt}", selection, suggestion=repaired)
        return self._integer(selection, digits, self._limits.dice, "dice"), letters

    # Signs, sums, products

    def symbol(self, symbol: Word, roll: Roll) -> Roll:
        return roll

    def plus(self, sign: Word, roll: Roll) -> Roll:
        return roll

    def minus(self, sign: Word, roll: Roll) -> Roll:
        return negate(roll)

    def added(self, left: Roll | list[Roll], sign: Word, right: Roll) -> list[Roll]:
        terms = left if isinstance(left, list) else [left]
        terms.append(right)
        return terms

    def taken(self, left: Roll | list[Roll], sign: Word, right: Roll) -> list[Roll]:
        return self.added(left, sign, negate(right))

    def total(self, terms: list[Roll]) -> Roll:
        return sum_of(terms)

    def times(self, left: Roll, sign: Word, right: Roll) -> Roll:
        """Return the product of two rolls. A number is a factor of the other roll, which is rolled once.

        Raises `DiceError` for a factor above the limit.
        """
        factor, roll = _number(left), right
        if factor is None:
            factor, roll = _number(right), left
        if factor is None:
            return Multiplied(tuple(each for side in (left, right) for each in _factors(side)))
        result = multiply_roll(factor, roll)
        size = _magnitude(result)
        if size > self._limits.constant:
            fail("dice-limit", f"a factor of {size} is more than the {self._limits.constant} allowed", sign)
        return result

    def divided(self, left: Roll, sign: Word, right: Roll) -> Roll:
        if _number(right) == 0:
            fail("dice-count", "nothing can be divided by 0", sign)
        return Quotient(left, right, self._rounding)

    def unsupported(self, left: Roll, sign: Word, right: Roll) -> Roll:
        """Refuse a remainder or a power: raise `DiceError`, with another way to get the result."""
        from rulewright.dice.parser.rewrite_hints import suggest_power, suggest_remainder

        name = make_fresh_name("x", list_in_reach(self._bindings))
        if strip_word(sign) == "%":
            fail("dice-unsupported", "rolls have no remainder", sign, help=suggest_remainder(left, right, name))
        fail("dice-unsupported", "a roll cannot be raised to a power", sign, help=suggest_power(left, right, name))

    # Functions and comparisons

    def function(self, name: Word, rolls: list[Roll]) -> Roll:
        """Return the call of a function of the notation. Raises `DiceError` for arguments that do not fit.

        A second rounding of the same division changes nothing.
        """
        called = strip_word(name)
        if called in ("max", "min"):
            if len(rolls) < 2:
                several = isinstance(rolls[0], Pool) and rolls[0].count > 1
                which = ("highest", "kh1") if called == "max" else ("lowest", "kl1")
                help = f"write {format_roll(rolls[0])}{which[1]} for the {which[0]} of these dice" if several else None
                fail("dice-count", f"{called} needs at least two rolls", name, help=help)
            return Maximum(tuple(rolls)) if called == "max" else Minimum(tuple(rolls))
        if called == "sets":
            number = _number(rolls[1]) if len(rolls) == 2 else None
            if number is None or not 1 <= number <= self._limits.dice:
                fail("dice-count", "sets needs dice and the size of a set: sets(5d6, 2)", name)
            return self._make_matching(name, rolls[0], number)
        if len(rolls) != 1:
            fail("dice-count", f"{called} takes one roll, not {len(rolls)}", name)
        [roll] = rolls
        if called == "abs":
            return Absolute(roll)
        if called == "count":
            return self._count(name, roll)
        if called in ROUNDINGS:
            if not isinstance(roll, Quotient):
                fail("dice-unsupported", f"{called} needs a division to round: {called}(7d6 / 2)", name)
            if any(roll is each for each in self._rounded):
                return roll  # already rounded, so a second rounding changes nothing
            result = Quotient(roll.left, roll.right, called)
            self._rounded.append(result)
            return result
        return self._make_matching(name, roll)

    def _make_matching(self, name: Word, roll: Roll, number: int = 0) -> Roll:
        of_sides = self._by_sides(roll, lambda dice: self._make_matching(name, dice, number))
        if of_sides is not None:
            return of_sides
        return Matching(strip_word(name), self._together(name, roll, number or None), number)

    def _together(self, name: Word, roll: Roll, number: int | None = None) -> Pool | Group:
        """Return the dice that a function looks at side by side.

        Raises `DiceError` for anything but a pool or a group.
        """
        roll = self._dice_of(roll, name)
        if isinstance(roll, Pool | Group):
            return roll
        help = f"use a pool, or dice in braces: {strip_word(name)}(5d6), {strip_word(name)}({{4d6 + 2d8}})"
        if isinstance(roll, Several):
            from rulewright.dice.parser.rewrite_hints import suggest_matching

            help = suggest_matching(roll, strip_word(name), number)
        raise build_refusal(
            "dice-unsupported",
            f"{strip_word(name)} needs several dice, but this is a single result",
            name,
            help=help,
        )

    def _count(self, name: Word, roll: Roll) -> Roll:
        """Return how many dice pass a comparison with a number or a name. Raises `DiceError` for any other `roll`."""
        if isinstance(roll, Comparison):
            threshold = roll.right
            numbers = list_braced_numbers(threshold)
            if numbers and roll.operator == "==" and isinstance(roll.left, DICE_TOGETHER):
                message = "each die is compared with one number, but this is a list of numbers"
                fail("dice-unsupported", message, name, help=suggest_counting(roll.left, numbers))
            if isinstance(threshold, Constant | Variable):
                dice, symbol = self._dice_of(roll.left, name), roll.operator
                if isinstance(dice, DICE_TOGETHER):
                    if self._listing is not None and self._listing[0] is roll:
                        self._listing = None  # `count` compares each die, so the sum of a list is no surprise
                    return Count(dice, symbol, threshold)
                of_sides = self._by_sides(dice, lambda each: self._count(name, Comparison(symbol, each, threshold)))
                if of_sides is not None:
                    return of_sides
                if isinstance(roll.left, Several):
                    return Several(roll.left.count, Comparison(roll.operator, roll.left.roll, threshold))
        raise build_refusal("dice-unsupported", "this does not say which dice to count", name, help=COUNT)

    def rolls(self, *parts: Any) -> list[Roll]:
        """Return the list of a single roll, or add the second part to the list that is the first, and return that."""
        if len(parts) == 1:
            return [parts[0]]
        parts[0].append(parts[1])
        listed: list[Roll] = parts[0]
        return listed

    def compare(self, left: Roll, operator: Word, right: Roll) -> Roll:
        roll = Comparison(strip_word(operator), left, right)
        if self._listing is None and (list_braced_numbers(left) or list_braced_numbers(right)):
            self._listing = roll, operator
        return roll

    def chain(self, left: Roll, operator: Word, right: Roll) -> Roll:
        help = "compare two rolls; put parentheses round a comparison to use its 1 or 0 as a number"
        fail("dice-ambiguous", "comparisons do not chain", operator, help=help)
