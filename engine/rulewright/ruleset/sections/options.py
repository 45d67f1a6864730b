"""The section `options:`, settings that players agree on before a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.language.schema_shapes import Leaf, MapOf, Record, optional, required, words
from rulewright.ruleset.section import BookPage, RulesSection

if TYPE_CHECKING:
    from rulewright.ruleset.elaborate.elaboration import Elaboration


OPTION = Record(
    "A setting that players choose before a game, or also during it if there is a `may_change`.",
    members={
        "title": optional(words("The title for readers.")),
        "choices": required(
            MapOf("The choices, each with its label.", inner=words("The label of the choice."), ordered=True)
        ),
        "default": required(Leaf("The default choice.", format="id")),
        "may_change": optional(Leaf("The rule that may change it during play.", format="id", values=("vote",))),
        "means": optional(words("What it decides.")),
    },
    body="choices",
)


def _fill(work: Elaboration) -> None:
    from rulewright.ruleset.elaborate.kind_declarations import fill_options

    fill_options(work.rules, work.declarations, work.diagnostics)


OPTIONS = RulesSection(
    key="options",
    place=70,
    doc="Settings that players choose before a game, such as a variant.",
    entry=OPTION,
    one="option",
    sort="variable",
    filled_in=True,
    gameplay=True,
    ranked=True,
    of_every_game=True,
    parts=("choices",),
    settings=("default",),
    fill=_fill,
    figureless=("choices.*",),
    title="Settings",
    heading="title",
    labels={"title": "Title", "means": "What it settles"},
    guide="design/settings.md",
    anchor="setting-",
    folded="Settings",
    page=BookPage(
        file="settings.md",
        title="Settings",
        about="The settings that players may agree on before a game, and their defaults.",
        place=40,
        on_front=30,
        in_menu=10,
    ),
    printed=True,
    indexed=True,
    wordy=False,
    report=30,
    gist="means",
    weight=(24, 48),
)
