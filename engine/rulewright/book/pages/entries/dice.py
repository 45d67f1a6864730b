"""Dice of the game's own."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter


def show(page: PageWriter, identity: str) -> str:
    """A die of the game's own."""
    faces = ", ".join(str(face) for face in page.ruleset.declarations.dice[identity].faces)
    return page.value(f"dice.{identity}", identity, faces, page.about(f"dice.{identity}"))
