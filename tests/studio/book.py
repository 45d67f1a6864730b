"""A book of one page with one text, which waits for a signature."""

from __future__ import annotations

PAGE = """\
pages:
  play:
    title: Play
    letter: Z
    about: All.
    sections:
      winning:
        title: Winning
        explains: [numbers.goal]
        text: {text}
"""


def write_book(text: str) -> str:
    """Return the rules file of the book, with a text as it is to be written in YAML."""
    return PAGE.format(text=text)
