"""Commands that take longer than a request: they run in a separate thread, and their result is shown."""

from __future__ import annotations

import asyncio
import re
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING, Any, TypeVar

from rulewright.base.errors import RulewrightError
from rulewright.lsp.code_lenses import FOLDER, list_lenses, load_kinds
from rulewright.lsp.features.code_lens import LensResult, LensTarget
from rulewright.lsp.features.edition_states import Good
from rulewright.lsp.server.json_rpc import INVALID_PARAMETERS, Json, RequestError
from rulewright.lsp.server.language_server import RulesServer
from rulewright.lsp.server.parameter_shapes import IN_FILE, Maybe
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Edit
from rulewright.source.files.unsaved_texts import replace_files
from rulewright.source.source_map import SOURCES
from rulewright.source.span import Span

if TYPE_CHECKING:
    from rulewright.authoring.sheets.update_rows import RowUpdate

_INFO = 3
"""The LSP type of messages that inform."""

PREFIX = "rulewright."
RECORD = "rulewright.record"
ROWS = "rulewright.rows"
_MOST_ANSWERS = 12
"""The number of answers in one message. More answers are shown in pages."""

Made = TypeVar("Made")


def register_commands(server: RulesServer) -> None:
    """Register the commands of the server, and the lenses that trigger them."""

    @server.handle("textDocument/codeLens", IN_FILE, codeLensProvider={"resolveProvider": False})
    def above(ls: RulesServer, params: Json) -> list[Json]:
        uri = params["textDocument"]["uri"]
        path = ls.rules_file(uri)
        return [
            {
                "range": ls.convert.range(each.span),
                "command": {
                    "title": each.title,
                    "command": PREFIX + each.name,
                    "arguments": [uri, each.section, each.id],
                },
            }
            for each in (list_lenses(ls.rules, path) if path is not None else ())
        ]

    @server.handle("workspace/executeCommand", {"command": str, "arguments": Maybe(list)})
    async def execute(ls: RulesServer, params: Json) -> Json | None:
        """Run a command with its arguments. Raises `RequestError` for an unknown command."""
        run = ls.commands.get(params["command"])
        if run is None:
            raise RequestError(f"there is no command {params['command']}", INVALID_PARAMETERS)
        result: Json | None = await run(ls, *(params.get("arguments") or ()))
        return result

    for name in FOLDER.list_names():
        _register_lens(server, name)

    @server.handle_command(RECORD)
    async def recorded(ls: RulesServer, *arguments: Any) -> None:
        await _record(ls, *_entry(ls, arguments))

    @server.handle_command(ROWS)
    async def updated(ls: RulesServer, *arguments: Any) -> None:
        await _update_rows(ls, *_place(ls, arguments))

    server.capabilities["executeCommandProvider"] = {"commands": [*server.commands]}


def _register_lens(server: RulesServer, name: str) -> None:
    """Register the command of a lens. It runs the lens in a thread, shows the result, and returns it, too.

    It raises an LSP error if the entry has no such lens, if the rules have errors, or if the lens fails.
    """

    @server.handle_command(PREFIX + name)
    async def run_click(ls: RulesServer, *arguments: Any) -> dict[str, str]:
        """Run the lens in a thread, show the result, and return its title and text. Remembers the new seed."""
        path, good, section, id = _entry(ls, arguments)
        kind = load_kinds().get(name)
        if kind is None or kind.title(good, section, id) is None:
            raise _refusal(f"there is no such code lens for `{id or path.name}`")
        seed = ls.seeds[good.edition.id, id] = randbits(24)
        loop = asyncio.get_running_loop()

        def ask(question: str, answers: Sequence[str]) -> int | None:
            return asyncio.run_coroutine_threadsafe(_ask(ls, question, answers), loop).result()

        try:
            lens_result = await _aside(kind.begin(LensTarget(ls.rules, path, good, section, id, seed, ask)))
        except RulewrightError as error:
            raise _refusal(_format(error)) from None
        await _show(ls, lens_result)
        return {"title": lens_result.title, "text": lens_result.text}


def _entry(ls: RulesServer, arguments: Sequence[Any]) -> tuple[Path, Good, str, str]:
    """Return the file, edition, section and id of a command's arguments.

    Raises an LSP error if they are invalid, or if the rules have errors.
    """
    path, section, id = _place(ls, arguments)
    good = next(iter(ls.rules.list_good(path)), None)
    if good is None:
        raise _refusal(f"`{arguments[0]}` is not a readable rules file")
    errors = ls.rules.list_errors(good)
    if errors:
        raise _refusal(f"fix the errors first: {errors[0].message}")
    return path, good, section, id


def _place(ls: RulesServer, arguments: Sequence[Any]) -> tuple[Path, str, str]:
    """Return the file, section and id of a command's arguments. Raises an LSP error if they are invalid."""
    if len(arguments) != 3 or not all(isinstance(each, str) for each in arguments):
        raise _refusal("a command needs a file URI, a section and an id")
    uri, section, id = arguments
    path = ls.rules_file(uri)
    if path is None:
        raise _refusal(f"`{uri}` is not a readable rules file")
    return path, section, id


async def _update_rows(ls: RulesServer, path: Path, section: str, id: str) -> None:
    """Show what the sheet beside a rules file changes in a table, and have the client change it if the user agrees.

    Raises an LSP error if the sheet has faults, if the rules cannot be read, or if a file changes meanwhile.
    """
    from rulewright.authoring.sheets.load_rules import plan_from_file
    from rulewright.authoring.sheets.read_sheet import find_sheet
    from rulewright.authoring.sheets.update_report import format_update

    sheet = find_sheet(path, id)
    edition = next(iter(ls.rules.list_editions(path)), None)
    if section != "tables" or sheet is None or edition is None:
        raise _refusal(f"there is no file {id}.csv with the rows of `{id}` beside {path.name}")
    paths, unsaved = ls.rules.get_catalogue().paths, ls.rules.texts.list_unsaved()

    def plan(remove: bool) -> RowUpdate:
        with replace_files(unsaved):
            return plan_from_file(Catalogue(paths), edition, id, sheet, remove=remove)

    try:
        update = await _aside(lambda: plan(False))
        if update.diagnostics:
            raise _refusal("; ".join(each.message for each in update.diagnostics))
        removes = await _aside(lambda: plan(True)) if update.missing else None
        offers = [each for each in (update, removes) if each is not None and each.texts]
        lines = "\n".join([*format_update(update)])
        if not offers:
            _tell(ls, lines)
            return
        answers = [
            "Update, and remove rows that are not in the sheet" if each is removes else "Update" for each in offers
        ]
        chosen = await _ask(ls, f"{sheet.name} changes rows:\n{lines}", answers)
    except RulewrightError as error:
        raise _refusal(_format(error)) from None
    if chosen is None:
        return
    texts = offers[chosen].texts or {}
    if any(before is None for before, _ in texts.values()):
        raise _refusal("there is no rules file for the rows: create one, such as rules.yaml")
    changes = [(str(file), before or "", after) for file, (before, after) in texts.items()]
    if any(ls.rules.texts.get_text(file) != before for file, before, _ in changes):
        raise _refusal("the rules have changed in the meantime; try again")
    edit = ls.convert.edits([_difference(*each) for each in changes])
    await _apply(ls, edit, f"update the rows of {id}", "no row was changed", "the files were not changed")


async def _record(ls: RulesServer, path: Path, good: Good, section: str, id: str) -> None:
    """Run a procedure as in its last run, or anew, and have the client add the result to the file as an example.

    Raises an LSP error if it cannot be run, if the run fails, or if the file changes meanwhile.
    """
    from rulewright.lsp.features.scratch_run import as_in, setup_of, try_setup
    from rulewright.testing.record_example import add_example

    setup = as_in(good.ruleset, id) if section == "examples" else setup_of(good.ruleset, id)
    if setup is None:
        raise _refusal(f"`{id}` cannot be run here: it has no `given` to start from")
    seed = ls.seeds.get((good.edition.id, id), randbits(24))
    before = ls.rules.texts.get_text(path) or ""
    try:
        result = await _aside(
            lambda: add_example(path, before, try_setup(good.ruleset, setup, seed=seed), setup.to_recordable())
        )
    except RulewrightError as error:
        raise _refusal(_format(error)) from None
    if ls.rules.texts.get_text(path) != before:
        raise _refusal(f"{path.name} has changed in the meantime; try again")
    edit = ls.convert.edits([_difference(str(path), before, result.text)])
    why = f"{path.name} was not changed"
    await _apply(ls, edit, f"add the example {result.id}", "no example was added", why)


async def _apply(ls: RulesServer, edit: Json, label: str, lack: str, why: str) -> None:
    """Have the client make an edit.

    Raises an LSP error with `lack` and the client's reason if it does not. `why` is the reason if it gives none.
    """
    answer = await ls.request("workspace/applyEdit", {"edit": edit, "label": label})
    result = answer if isinstance(answer, dict) else {}
    if result.get("applied") is not True:
        raise _refusal(f"{lack}: {result.get('failureReason') or why}")


def _tell(ls: RulesServer, text: str) -> None:
    ls.notify("window/showMessage", {"type": _INFO, "message": text})


def _difference(file: str, before: str, after: str) -> Edit:
    """Return the edit that turns one text into another, as one range of whole lines."""
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    above = next((place for place in range(most) if old[place] != new[place]), most)
    above = min(above, len(old) - 1)
    below = next((place for place in range(most - above) if old[-1 - place] != new[-1 - place]), most - above)
    end = len(old) - below
    if end > above or below == 0:
        last = max(end, above + 1)
        text = "\n".join(new[above : len(new) - (len(old) - last)])
        return Edit(Span(file, above + 1, 1, last, len(old[last - 1]) + 1), text)
    return Edit(Span(file, above + 1, 1, above + 1, 1), "\n".join(new[above : len(new) - below]) + "\n")


async def _aside(work: Callable[[], Made]) -> Made:
    """Run work in a daemon thread, and return its result or raise its exception.

    The thread does not delay the exit of the server.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Made] = loop.create_future()

    def settle(result: Made | None, error: Exception | None) -> None:
        if not done.done():
            done.set_exception(error) if error is not None else done.set_result(result)  # type: ignore[arg-type]

    def carry_out() -> None:
        """Do the work, and pass its result or exception to the loop, unless that is closed."""
        result, failed = None, None
        try:
            with SOURCES.isolate_thread():
                result = work()
        except Exception as error:
            failed = error
        with suppress(RuntimeError):  # the loop is closed, so nobody is waiting for the result
            loop.call_soon_threadsafe(settle, result, failed)

    threading.Thread(target=carry_out, daemon=True, name="aside").start()
    return await done


async def _show(ls: RulesServer, lens_result: LensResult) -> None:
    """Show a result as a document if the client can show documents, otherwise as a message.

    The document is a Markdown file in a temporary folder, which the first call creates. A client may refuse to show it.
    Does nothing if the client shows results itself: it gets the result in the response.
    """
    if ls.shows_results:
        return
    if not ls.find_capability("window", "showDocument", "support"):
        _tell(ls, lens_result.text)
        return
    if ls.results is None:
        ls.results = tempfile.TemporaryDirectory(prefix="rulewright-")
    name = re.sub(r"[^\w.-]+", "-", lens_result.title).strip("-.")[:80] or "result"
    page = Path(ls.results.name) / f"{name}.md"
    page.write_text(lens_result.text, encoding="utf-8")
    with suppress(RequestError):  # if the client refuses, it gets the text in the response
        await ls.request("window/showDocument", {"uri": page.as_uri(), "takeFocus": False})


async def _ask(ls: RulesServer, question: str, answers: Sequence[str]) -> int | None:
    """Ask the user a question, and return the index of the answer, or None if the user cancels.

    If there are many answers, they are shown page by page.
    """
    first = 0
    while True:
        page = list(enumerate(answers))[first : first + _MOST_ANSWERS]
        titles = {f"{place + 1}. {answer}": place for place, answer in page}
        more = "more…" if len(answers) > _MOST_ANSWERS else ""
        items = [{"title": title} for title in [*titles, *([more] if more else [])]]
        try:
            answer = await ls.request(
                "window/showMessageRequest", {"type": _INFO, "message": question, "actions": items}
            )
        except RequestError:
            return None
        title = answer.get("title") if isinstance(answer, dict) else None
        if title in titles:
            return titles[title]
        if not more or title != more:
            return None
        first = first + _MOST_ANSWERS if first + _MOST_ANSWERS < len(answers) else 0


def _format(error: RulewrightError) -> str:
    from rulewright.testing.procedure_run import RunStoppedError

    if isinstance(error, DiagnosticError | RunStoppedError):
        return "; ".join(each.message for each in error.diagnostics)
    return str(error)


def _refusal(why: str) -> RequestError:
    return RequestError(why)
