"""Views in pictures, for stories and setups."""

from __future__ import annotations

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.comic_strips import build_story_view
from rulewright.book.parts.example_runs import can_be_played
from rulewright.book.parts.setup_pictures import setup_view
from rulewright.book.parts.template_loader import render


def show_stories(page: PageWriter, identity: str) -> str:
    """Return the comic strip of a story as HTML, or an empty string if it has none.

    It links to its example on the Play page, if that can be played there.
    """
    view = build_story_view(page.ruleset.stories[identity], page.close)
    if view is None:
        return ""
    playable = can_be_played(page.ruleset.examples[view.example], page.ruleset)
    return render(
        "story.j2",
        page.language,
        id=page.fragment(f"stories.{identity}"),
        play=f"{page.play}#example={view.example}" if playable else "",
        story=view,
    )


def show_setups(page: PageWriter, identity: str) -> str:
    """Return the boards after setup, or an empty string if the engine cannot set them up."""
    view = setup_view(page.ruleset.setups[identity], page.close)
    return (
        render("setup.j2", page.language, id=page.fragment(f"setups.{identity}"), setup=view)
        if view is not None
        else ""
    )
