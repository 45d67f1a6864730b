"""The file beside an edition's pages with its examples and samples, to be gone through on the page *Play* step by step.

It is a script that the page asks for where it needs it, for a page opened from disk can read no other file.
"""

from __future__ import annotations

import json
import re
from typing import Any

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.given import given_words
from rulewright.book.parts.runs import can_be_played, example_results, ran_example, told_numbers
from rulewright.book.parts.steps import StepWriter, title_of
from rulewright.book.style.placeholders import fill
from rulewright.book.table.data import packed
from rulewright.play.examples.sample import Played, play_sample
from rulewright.play.export.runs import example_data, sample_data

EXAMPLES = "examples.js"
"""The file, which calls `rulewrightExamples`."""

_PAGE = re.compile(r'(\bhref="[^"#:]*)\.md(?=["#])')
_STEP = re.compile(r'(\bhref=")#')


def examples_file(page: PageWriter) -> str:
    """The text of the file; empty where there is nothing to go through. Texts are HTML with links to built pages."""
    ruleset = page.ruleset
    found: dict[str, dict[str, Any]] = {"examples": {}, "samples": {}, "rules": {}}
    met: set[str] = set()
    for example in ruleset.examples.values():
        if not can_be_played(example, ruleset):
            continue
        ran = ran_example(example, ruleset)
        assert ran.finished is not None
        met |= {example.of, *(moment.event.rule.partition(".")[0] for moment in ran.steps)}
        found["examples"][example.id] = {
            **_words(page, example.title, example.text, f"examples.{example.id}"),
            "given": [_built(said) for said in given_words(example, page.close)],
            "results": [_built(said) for said in example_results(example, page.close)],
            "data": example_data(ran.finished, told_numbers(example, page.close)),
        }
    for sample in ruleset.samples.values():
        played = play_sample(ruleset, sample)
        if isinstance(played, Played) and not played.problems.errors:
            met |= {moment.event.rule.partition(".")[0] for moment in played.moments}
            found["samples"][sample.id] = {
                **_words(page, sample.title, sample.text, f"samples.{sample.id}"),
                "data": sample_data(played),
            }
    if not met:
        return ""
    found["rules"] = {name: _rule(page, name) for name in ruleset.procedures if name in met}
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return f"rulewrightExamples({json.dumps(packed(text.encode()))})\n"


def _words(page: PageWriter, title: str, text: str, path: str) -> dict[str, str]:
    home = page.places.homes.get(path, "")
    return {
        "title": page.escaped(title),
        "text": _built(fill(text, page.close)),
        "home": home.replace(".md", ".html", 1),
    }


def _rule(page: PageWriter, procedure: str) -> dict[str, str]:
    """The steps of a procedure as the book has them; their numbers lead there."""
    rule = page.ruleset.procedures[procedure]
    home = page.places.homes[f"procedures.{procedure}"].partition("#")[0].replace(".md", ".html", 1)
    steps = _STEP.sub(rf"\g<1>{home}#", StepWriter(rule, page.close).all())
    return {"title": page.escaped(title_of(rule)), "steps": _built(steps)}


def _built(html: str) -> str:
    """HTML whose links lead to built pages."""
    return _PAGE.sub(r"\1.html", html)
