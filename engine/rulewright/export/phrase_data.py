"""The texts of a ruleset in parts, as data, with their placeholders filled in."""

from __future__ import annotations

from typing import Any

from rulewright.dice.format_notation import format_roll as notation
from rulewright.engine.narration.render_values import ValueRenderer
from rulewright.engine.narration.rich_text import DicePart, Name, NumberPart, Part, TextPart
from rulewright.engine.narration.ruleset_words import strip_gender
from rulewright.ruleset.prose.book_language import find_language
from rulewright.ruleset.prose.own_values import Own
from rulewright.ruleset.prose.placeholders import Placeholder, parse_parts
from rulewright.ruleset.ruleset import Ruleset


class Phrases:
    """A collection of texts with placeholders.

    `templates` has the parts of each, and `named` the entries they refer to.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.say = ValueRenderer(ruleset)
        self.language = find_language(ruleset)
        self.templates: dict[str, list[Any]] = {}
        self.named: dict[str, list[str]] = {}

    def add(self, written: str) -> str:
        """Register a text, and return it, without the mark of a gender behind a noun.

        If it has placeholders, its template and the names of the fields in it are stored for the export.
        """
        written = strip_gender(written, self.language)
        if ("{" in written or "}" in written) and written not in self.templates:
            self.templates[written] = [_plain(part) for part in self.say.parse_template(written)]
            bodies = (part.body for part in parse_parts(written) if isinstance(part, Placeholder))
            self.named[written] = [name for body in bodies for name in body.split(".")[1:2]]
        return written

    def add_all(self, written: Any) -> dict[str, str]:
        """Return texts by name."""
        return {name: self.add(each) for name, each in written.items()}

    def label(self, written: str, own: list[str]) -> list[Any]:
        """Return the label of a record as a list of parts. `own` are the names of the record's parts."""
        results: list[Any] = []
        for part in parse_parts(written):
            if not isinstance(part, Placeholder):
                results.append(part.text)
            elif (name := part.body.removeprefix("self.")) in own:
                results.append({"own": name, "written": f"{{{part.body}}}"})
            else:
                results += [_plain(each) for each in self.say.render_placeholder(part.body)]
        return results


def _plain(part: Part | Own) -> Any:
    """Return a part as data: words as a string, and a number, roll, name or placeholder as an object."""
    match part:
        case TextPart(text=words):
            return words
        case NumberPart(value=value, minus=minus):
            return {"number": value, "minus": minus}
        case DicePart(roll=roll):
            return {"dice": notation(roll)}
        case Name(phrase=phrase, of=of, article=article):
            return {"name": [_plain(each) for each in phrase], "of": list(of), "article": article}
        case Own(field=field, written=written, given=given):
            return {"given" if given else "own": field, "written": written}
