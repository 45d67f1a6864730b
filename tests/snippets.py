"""The blocks of a Markdown page that are run, and what they are to print.

```sh run       is run by bash, ```python run by Python; ```sh fails is run and must exit with 1
```text output  after such a block is what it prints, on both outputs; a line `…` stands for any lines
```yaml title="a/b.yaml", or json or po     writes a file, `title="at the end of a/b.yaml"` adds to one

With UPDATE_GOLDENS=1, outputs that differ are written into the page instead.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.cli.main import main

BLOCK = re.compile(
    r"^```(?P<language>sh|python|text|yaml|json|po)"
    r"(?: (?P<mark>run|fails|output))?"
    r'(?: title="(?P<more>at the end of )?(?P<file>[^"]+)")?\n'
    r"(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
INTERPRETERS = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}
ANYTHING = "…"
OF_THE_SHELL = re.compile(r"[|<>;&$`#*]|serve|--workers|--cluster")
"""What a block holds that is not run in this process: signs of the shell, and words that ask for other processes."""


def updates_goldens() -> bool:
    """Return whether tests write goldens: whether `UPDATE_GOLDENS` is set, and not to 0."""
    return os.environ.get("UPDATE_GOLDENS", "") not in ("", "0")


@dataclass(frozen=True)
class Snippet:
    """A block that is run or that is a file, with what it is to print (None: whatever it likes)."""

    page: Path
    language: str
    mark: str
    file: str
    more: bool
    text: str
    output: str | None

    @property
    def first(self) -> str:
        """Its first line, for names."""
        return self.text.strip().splitlines()[0] if self.text.strip() else ""


def snippets(page: Path) -> list[Snippet]:
    """Return the blocks of a page that are run or written, in order."""
    return list(_snippets(page))


def _snippets(page: Path) -> Iterator[Snippet]:
    found = list(BLOCK.finditer(page.read_text(encoding="utf-8")))
    for place, block in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else None
        marks = block["mark"] or ""
        if marks in ("run", "fails") or block["file"]:
            output = following["text"] if following is not None and following["mark"] == "output" else None
            yield Snippet(
                page, block["language"], marks, block["file"] or "", bool(block["more"]), block["text"], output
            )


def write(snippet: Snippet, folder: Path) -> None:
    """Write the file that a block is."""
    path = folder / snippet.file
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text(encoding="utf-8") if snippet.more else ""
    path.write_text(before + snippet.text, encoding="utf-8")


def run(snippet: Snippet, folder: Path) -> tuple[int, str]:
    """Run a block in a folder: its exit code, and what it printed on both outputs."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        [*INTERPRETERS[snippet.language], snippet.text],
        cwd=folder,
        env={**os.environ, "PATH": programs, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout


def run_here(snippet: Snippet, folder: Path) -> tuple[int, str]:
    """Return `run`, in this process where the block is our own commands and nothing of the shell's.

    To start the program takes longer than most commands; that it starts as typed, the other blocks show.
    """
    lines = [line for line in snippet.text.replace("\\\n", " ").splitlines() if line.strip()]
    ours = snippet.language == "sh" and all(line.startswith("rulewright ") for line in lines)
    if not ours or OF_THE_SHELL.search(snippet.text):
        return run(snippet, folder)
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    code = 0
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        for line in lines:
            try:
                code = main(shlex.split(line)[1:])
            except SystemExit as stopped:  # as the reader of arguments ends
                code = int(stopped.code or 0)
            if code:
                break
    printed.seek(0)
    return code, printed.read()


def compare(snippet: Snippet, printed: str) -> None:
    """Hold what was printed against what the page shows, or update the page."""
    if snippet.output is None or matches(snippet.output, printed):
        return
    if updates_goldens():
        page = snippet.page.read_text(encoding="utf-8")
        old = f"{snippet.text}```\n\n```text output\n{snippet.output}```"
        assert old in page, f"{snippet.page} does not show `{snippet.first}` right before its output"
        new = f"{snippet.text}```\n\n```text output\n{_tidy(printed)}\n```"
        snippet.page.write_text(page.replace(old, new, 1), encoding="utf-8")
        return
    raise AssertionError(f"{snippet.page}: `{snippet.first}` prints\n{printed}\nand the page shows\n{snippet.output}")


def matches(text: str, printed: str) -> bool:
    """Return whether `printed` is what is shown; blanks at the end of lines do not count."""
    return _match(_tidy(text).split("\n"), _tidy(printed).split("\n"))


def _match(texts: Sequence[str], printed: Sequence[str]) -> bool:
    """Line by line; a line of `…` alone stands for any number of lines, inside a line for any characters."""
    if not texts or not printed:
        return not printed and all(line.strip() == ANYTHING for line in texts)
    if texts[0].strip() == ANYTHING:
        return any(_match(texts[1:], printed[start:]) for start in range(len(printed) + 1))
    expected = ".*".join(map(re.escape, texts[0].split(ANYTHING)))
    return re.fullmatch(expected, printed[0]) is not None and _match(texts[1:], printed[1:])


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))
