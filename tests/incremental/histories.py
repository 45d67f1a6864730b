"""Random histories of edits in folders of editions, and everything that a workspace says after each of them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.base.errors import RulewrightError
from rulewright.lsp.features.definitions import find_references
from rulewright.lsp.features.hover import describe_at
from rulewright.lsp.features.workspace import Workspace
from rulewright.source.diagnostics.formats import render
from rulewright.studio.panels import load_panels
from rulewright.studio.panels.background_job import Jobs
from rulewright.studio.panels.panel import Desk, PanelRequest
from tests.studio.desk import DiskFiles

CHECKOUT = Path(__file__).parents[2]
RULES = CHECKOUT / "rules"
COOKBOOK = CHECKOUT / "site" / "docs" / "cookbook"
SMALL = Path(__file__).parent / "valley"

Folder = Mapping[str, str]
"""The texts of the files in a folder, by path."""

_BLOCK = re.compile(r"^\w+:", re.MULTILINE)
_MANIFEST = "ruleset.yaml"
_BROKEN = ("\tx", "  - [", "{", "a: b: c", "? ", "'", "- 1", "&a *a", "numbers: 3", "zzz: {}")
WORD = re.compile(r"[A-Za-z_]{3,}")
NUMBER = re.compile(r"\d+")
STALE = "may be of an earlier state"
"""The answer where a new workspace cannot know what one that saw all edits knows."""

_VALUES = ("[]", "{}", "true", "12.5", "null", '""', "-1", "[1, 2]", "{is: 2}", "2d6 +", "x", "99999999999")


def edit_text(text: str, chance: random.Random) -> str:
    """Change a text as a designer may: a number, a word, a letter, or a line, which goes, comes twice or is blank."""
    lines = text.splitlines() or [""]
    at = chance.randrange(len(lines))
    line = lines[at]
    match chance.randrange(8):
        case 0 | 1 if NUMBER.search(line):
            number = chance.choice(list(NUMBER.finditer(line)))
            lines[at] = f"{line[: number.start()]}{chance.randrange(30)}{line[number.end() :]}"
        case 2 | 3 if WORD.search(line):
            number = chance.choice(list(WORD.finditer(line)))
            other = chance.choice(WORD.findall(text))
            lines[at] = line[: number.start()] + other + line[number.end() :]
        case 4 if line:
            place = chance.randrange(len(line))
            lines[at] = line[:place] + line[place + 1 :]
        case 5:
            lines.insert(chance.randrange(len(lines)), line)
        case 6:
            del lines[at]
        case _:
            lines.insert(at, "")
    return "\n".join(lines) + "\n"


def read_folder(folder: Path, below: str = "") -> Folder:
    """Return the files of an edition, or of several, with their paths below `below`."""
    paths = (path for path in sorted(folder.rglob("*")) if path.suffix in (".yaml", ".svg", ".json"))
    return {str(Path(below, path.relative_to(folder))): path.read_text(encoding="utf-8") for path in paths}


def edit_line(text: str, chance: random.Random) -> str:
    """Change a text as a designer may, or write something broken: a value of a wrong type, or what is no YAML."""
    lines = text.splitlines() or [""]
    at = chance.randrange(len(lines))
    kind = chance.randrange(20)
    if kind < 2 and ": " in lines[at]:
        lines[at] = f"{lines[at][: lines[at].index(': ') + 2]}{chance.choice(_VALUES)}"
    elif kind == 2:
        lines.insert(at, chance.choice(_BROKEN))
    else:
        return edit_text("\n".join(lines), chance)
    return "\n".join(lines) + "\n"


class Editions:
    """The edits that change which files and layers there are, for folders that begin as `start`."""

    def __init__(self, start: Folder) -> None:
        self.start = start
        manifests = [text for path, text in start.items() if Path(path).name == _MANIFEST]
        names = [match[1] for text in manifests for match in re.finditer(r"^(?:ruleset|extends): (\S+)", text, re.M)]
        self.names = sorted({*names, *(name.partition("@")[0] for name in names)})

    def edit(self, now: Folder, chance: random.Random) -> Folder:
        """Return the files after one edit."""
        files, path = dict(now), chance.choice(sorted(now))
        kind = chance.choices(range(9), (10, 2, 2, 1, 1, 1, 1, 1, 3))[0]
        if kind == 0:  # any file, but manifests less often, because their mistakes hide all others
            if Path(path).name == _MANIFEST:
                path = chance.choice(sorted(now))
            files[path] = edit_line(files[path], chance)
        elif kind == 1:
            path = chance.choice([each for each in sorted(now) if Path(each).name == _MANIFEST] or [path])
            files[path] = self._edit_manifest(files[path], chance)
        elif kind == 2:
            self._move_block(files, path, chance)
        elif kind == 3:
            del files[path]
        elif kind == 4:  # renamed, also to another edition
            other = str(Path(chance.choice(sorted(now))).with_name(chance.choice(("a.yaml", "zz.yaml", "b.svg"))))
            files[other] = files.pop(path)
        elif kind == 5:  # a copy, with everything twice
            files[str(Path(path).with_name(f"copied.{chance.randrange(2)}{Path(path).suffix}"))] = files[path]
        elif kind == 6:
            self._move_folder(files, path, chance)
        elif kind == 7:
            other = chance.choice(sorted(now))
            files[path], files[other] = files[other], files[path]
        else:  # something comes back as it was at the start
            path = chance.choice(sorted(self.start))
            files[path] = self.start[path]
        return files or self.start

    def _edit_manifest(self, text: str, chance: random.Random) -> str:
        name = chance.choice(self.names)
        key = chance.choice(("extends", "extends", "version", "overlays", "follows", "start", "title", "status"))
        values = {
            "extends": name,
            "version": f"1.{chance.randrange(3)}.0",
            "overlays": f"[{name}]",
            "follows": name,
            "start": chance.choice(("game", "walk")),
            "title": chance.choice(("Other", "Third")),
            "status": chance.choice(("draft", "abstract", "stable")),
        }
        lines = [line for line in text.splitlines() if not line.startswith(f"{key}:")]
        return "\n".join([*lines, f"{key}: {values[key]}"] if chance.randrange(4) else lines) + "\n"

    def _move_block(self, files: dict[str, str], path: str, chance: random.Random) -> None:
        """Move a section to the end of its file, or to a file of its own."""
        text = files[path]
        starts = [match.start() for match in _BLOCK.finditer(text)]
        if not starts or not path.endswith(".yaml"):
            return
        place = chance.randrange(len(starts))
        end = starts[place + 1] if place + 1 < len(starts) else len(text)
        block, rest = text[starts[place] : end], text[: starts[place]] + text[end:]
        if chance.randrange(2):
            files[path] = f"{rest.rstrip()}\n{block}"
        else:
            own = str(Path(path).with_name(f"part.{chance.randrange(3)}.yaml"))
            files[path], files[own] = rest, block

    def _move_folder(self, files: dict[str, str], path: str, chance: random.Random) -> None:
        """Remove the folder of a file, rename it, or make a copy of it that is another version or not."""
        folder, kind = Path(path).parts[0], chance.randrange(4)
        for each in [each for each in files if Path(each).parts[0] == folder]:
            other = str(Path(f"{folder}-other", *Path(each).parts[1:]))
            text = files[each] if kind else ""
            if kind == 3 and Path(each).name == _MANIFEST:
                text = re.sub(r"^version: .*$", f"version: 1.{chance.randrange(4)}.0", text, flags=re.M)
            if kind < 2:
                del files[each]
            if kind:
                files[other] = text


class Project:
    """A folder on disk with some of its files open in an editor, and the workspace that sees every edit.

    An open file has its text only in the editor, and on disk that of the last save.
    """

    def __init__(self, root: Path, files: Folder, opened: Sequence[str]) -> None:
        self.root = root
        self.opened = list(opened)
        self.files: dict[str, str] = {}
        self.workspace = Workspace([root])
        self.desk = open_desk(self.workspace, root)
        self.move_to(files, save=True)

    def move_to(self, files: Folder, *, save: bool = False) -> None:
        """Make all edits that lead to these files, and save the open ones if they are to be saved."""
        texts = self.workspace.texts
        for path in sorted({*self.files, *files}):
            there, text = self.root / path, files.get(path)
            if text == self.files.get(path) and not save:
                continue
            if text is None:
                there.unlink(missing_ok=True)
                if path not in self.opened or not texts.drop(there):
                    texts.note_change(there)
                continue
            if path in self.opened:
                texts.put(there, text)
            if path not in self.opened or save:
                there.parent.mkdir(parents=True, exist_ok=True)
                if not there.exists() or there.read_text(encoding="utf-8") != text:
                    there.write_text(text, encoding="utf-8")
                    texts.note_change(there)
        self.files = dict(files)

    def open_again(self, chance: random.Random) -> Desk:
        """Return a desk with a new workspace over the same files, which are opened in another order."""
        return open_files(self.root, {path: self.files[path] for path in self.opened if path in self.files}, chance)


def open_files(root: Path, typed: Folder, chance: random.Random) -> Desk:
    """Return a desk with a new workspace over a folder, with these texts of open files."""
    workspace = Workspace([root])
    for path in chance.sample(sorted(typed), len(typed)):
        workspace.texts.put(root / path, typed[path])
    return open_desk(workspace, root)


def open_desk(workspace: Workspace, root: Path) -> Desk:
    """Return a desk with a workspace, on which panels answer."""
    files = _FilesOfEditor(root, RULES, workspace.texts.note_change)
    return Desk(root, root, files, Jobs(lambda _: None), workspace)


class _FilesOfEditor(DiskFiles):
    """The files of a folder, where some may exist only in the editor."""

    def place(self, path: str) -> Path:
        return self.folder / path


def list_answers(desk: Desk, files: Folder, chance: random.Random, *, places: int = 3) -> Iterator[tuple[str, Any]]:
    """Yield everything that a workspace says about these files: all diagnostics, and answers at some places.

    Where a file has errors, other answers may come from an earlier state. They are `STALE` then.
    """
    with desk.workspace() as workspace:
        report = workspace.settle()
        data = {file: json.loads(render("json", each)) for file, each in report.diagnostics.items() if each}
        yield "diagnostics", data
        for edition in {id(each): each for part in workspace.list_watched() for each in part}.values():
            good = next((each for each in workspace.list_good(edition.path) if each.edition.id == edition.id), None)
            current = good is not None and workspace.is_current(good)
            mentions = good.mentions.by_file.values() if good is not None and current else ()
            yield f"mentions in {edition.id}", [str(each) for of in mentions for each in of] if current else STALE
        has_errors = any(each["severity"] == "error" for of_file in data.values() for each in of_file)
        for number in range(places):
            path = chance.choice(sorted(files))
            words = list(WORD.finditer(files[path]))
            if not words or not path.endswith(".yaml"):
                continue
            at = chance.choice(words).start()
            line, column = files[path].count("\n", 0, at) + 1, at - files[path].rfind("\n", 0, at)
            place = desk.folder / path, line, column
            for kind, answer in _list_answers_at(
                desk, workspace, place, odds=number == 0 and chance.randrange(4) == 0 and not has_errors
            ):
                yield f"{kind} at {path}:{line}:{column}", answer


def _list_answers_at(
    desk: Desk, workspace: Workspace, place: tuple[Path, int, int], *, odds: bool
) -> Iterator[tuple[str, Any]]:
    path, line, column = place
    if not workspace.texts.exists(path):
        return
    good = workspace.check_file(path)
    editions = workspace.list_editions(path)
    if len(good) < len(editions) or not all(map(workspace.is_current, good)):
        yield "hover", STALE
        return
    hover = describe_at(workspace, *place)
    yield "hover", None if hover is None else (hover.text, str(hover.span))
    yield "references", [(str(each.span), each.declares) for each in find_references(workspace, *place)]
    if not all(map(workspace.is_sound, editions)):
        yield "read", STALE
        return
    for panel in ("read", "odds") if odds else ("read",):
        request = PanelRequest(str(path.relative_to(desk.folder)), line, column)
        try:
            answer = dict(load_panels()[panel].answer(desk, request))
        except RulewrightError as error:
            yield panel, str(error)
            continue
        yield panel, answer
        serve = load_panels()[panel].serve
        if serve is not None:
            address, _, query = str(answer["page"]).removeprefix("/book/").partition("?")
            served = serve(desk, address, query)
            yield "page", None if served is None else served.content.decode()


def compare(before: Iterable[tuple[str, Any]], fresh: Iterable[tuple[str, Any]]) -> list[tuple[str, Any, Any]]:
    """Return the answers that differ, except stale ones and those that follow from one."""
    answers, others = dict(before), dict(fresh)
    stale = {kind.partition(" ")[2] for each in (answers, others) for kind, answer in each.items() if answer == STALE}
    return [
        (kind, answers.get(kind), others.get(kind))
        for kind in {**answers, **others}
        if json.dumps(answers.get(kind)) != json.dumps(others.get(kind)) and kind.partition(" ")[2] not in stale
    ]
