"""The pages of one book that are made, or reused from an earlier build, with their contents and the rolls on them."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable

from rulewright.book.page_traces import PageTraces
from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.odds_charts import PageRolls, Rolls
from rulewright.ruleset.cache.safe_unpickling import pack, unpack


class MadePages:
    """The pages of a book by file: their writers, their contents, and the rolls that they show."""

    def __init__(self, traces: PageTraces) -> None:
        self.traces = traces
        self.rolls = Rolls()
        self.writers: dict[str, PageWriter] = {}
        self.bodies: dict[str, str] = {}
        """The content of each page that `make_page` has returned, by file."""

    def make_page(self, file: str, render: Callable[[], str], *which: str) -> str:
        """Return the text of a file that `render` returns, from an earlier build if what it has read is the same.

        `which` names everything else that the file depends on. If the file is a page, `bodies` then has its content,
        and `rolls` has its rolls.
        """

        def compute() -> list[str]:
            text = render()
            writer, page_rolls = self.writers.get(file), self.rolls.get_page(file)
            rolls = pack((page_rolls.title, page_rolls.rolls) if page_rolls is not None else None)
            return [text, writer.body if writer is not None else "", b64encode(rolls).decode("ascii")]

        text, self.bodies[file], rolls = self.traces.fetch(("page", file, which), compute)
        stored_rolls = unpack(b64decode(rolls))
        if stored_rolls is not None:
            self.rolls.add_page(file, PageRolls(*stored_rolls))
        return text
