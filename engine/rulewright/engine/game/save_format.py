"""The file format of saves: written atomically, and refused if anything in the file or its rules has changed.

A save is one line of JSON, `{"rulewright": 2, "check": "<digest>", "save": {…}}`. The digest is the SHA-256 of the text
of `save`, so a truncated or edited file is detected. If another program has parsed the save and written it again, with
other spaces or another order of keys, the text of `save` is restored first.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.engine.game.game_error import GameError
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.excerpt import quote_value, shorten
from rulewright.source.files.atomic_write import WriteError, describe_write_error, write_text
from rulewright.source.files.safe_read import read_regular

FORMAT = 2

MOST_BYTES = 32 * 1024 * 1024
"""The maximum size of a save file, in bytes."""

MOST_ENTRIES = 100_000
"""The maximum number of record entries in a save. Opening a save replays all of them."""

MOST_WORDS = 1 << 40
"""The maximum number of random words that the dice of a game may have consumed."""

_OPENING = '{{"rulewright": {format}, "check": "{check}", "save": '

_FIRST = b'{"rulewright": '

_OF_A_STATE = ("format", "digest", "root", "next", "objects", "frames", "mode", "winners", "given")
"""The members of a state in the order in which saves have them."""

_MEMBERS: dict[str, type | tuple[type, ...]] = {
    "ruleset": str,
    "digest": str,
    "players": int,
    "options": dict,
    "seed": (int, str),
    "stop_at_chance": bool,
    "rolled": int,
    "state": dict,
    "record": list,
}


def save_text(save: dict[str, Any]) -> str:
    """Return the text of a save file."""
    body = json.dumps(save, ensure_ascii=False)
    return _opening(body) + body + "}\n"


def place_of_save(path: object) -> Path:
    """Return the path of a save file. Raises `GameError` for anything but a text or a path of text."""
    if isinstance(path, str | os.PathLike):
        named = os.fspath(path)
        if isinstance(named, str):
            return Path(named)
    raise GameError(f"a save file must be named by a string or a Path, not {quote_value(path)}")


def write_save(path: Path, save: dict[str, Any]) -> None:
    """Write a save file atomically: after a crash, the old or the new file is there, complete.

    Raises `WriteError` if `path` is a folder or not a valid file name, and `OSError` if it cannot be written.
    """
    if os.path.isdir(path):
        raise WriteError(f"{str(path)!r} cannot be written: it is a folder")
    try:
        write_text(path, save_text(save))
    except ValueError as error:
        raise WriteError(describe_write_error(path, error)) from None


OF_A_GAME = ("ruleset", "digest", "players", "options", "seed")
"""The members that identify a game. Saves in which all of these are equal are of the same game."""


def describe_obstacle(path: Path, save: Mapping[str, object]) -> str | None:
    """Return a description of the file that saving a game at `path` would destroy, or None if nothing would be lost.

    The result is None for a missing or empty file, for an earlier save of the same game, and for a path that
    `write_save` refuses anyway. `save` needs the members `OF_A_GAME` only.
    """
    try:
        result = read_regular(path, MOST_BYTES)
    except (OSError, ValueError):
        # For a folder or an invalid file name, `write_save` reports the error.
        return NO_SAVE if os.path.exists(path) and not os.path.isdir(path) else None
    if not result.startswith(_FIRST):
        return NO_SAVE if result else None
    try:
        there = read_save(path)
    except GameError:
        return "a save that cannot be read"
    if all(there[key] == save[key] for key in OF_A_GAME):
        return None
    return f"another game, {shorten(there['ruleset'])} with seed {shorten(str(there['seed']))}"


NO_SAVE = "not a saved game"
"""The description of a file that is not a save. Such a file is never replaced."""


def read_save(path: Path) -> dict[str, Any]:
    """Read a file written by `write_save`. Raises `GameError` with the reason if it is not an intact save."""
    try:
        result = read_regular(path, MOST_BYTES)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise GameError(
            f"{path.name or path} cannot be read: {error.strerror or error}",
            code="missing-file" if missing else "unreadable-file",
        ) from None
    except ValueError:
        message = f"{quote_value(path.name)} cannot be read: it is not a valid file name"
        raise GameError(message, code="unreadable-file") from None
    try:
        text = result.decode("utf-8")
    except ValueError:
        raise GameError(f"{path.name} is not a save: it is not text", code="not-a-save") from None
    return parse_save(text, path.name)


def parse_save(text: str, name: str = "this text") -> dict[str, Any]:
    """Parse a text written by `save_text`. Raises `GameError` if it is not an intact save. The message uses `name`."""
    if isinstance(text, bytes | bytearray | memoryview):
        raise GameError(f"{name} is bytes, but a save is text: decode it first with `.decode()`")
    if not isinstance(text, str):
        raise GameError(f"a save must be text from `save_text`, not {quote_value(text)}")
    if len(text) > MOST_BYTES:
        raise GameError(f"{name} is larger than {MOST_BYTES:,} bytes, the limit for saves", code="not-a-save")
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        if text.startswith(_FIRST.decode()):
            raise GameError(f"{name} is damaged: it is not complete JSON", code="damaged") from None
        data = None
    if not isinstance(data, dict) or "rulewright" not in data:
        raise GameError(f"{name} is not a Rulewright save", code="not-a-save")
    if data["rulewright"] != FORMAT:
        written = shorten(str(data["rulewright"]))
        message = f"{name} is a save of format {written}; this program reads format {FORMAT}"
        raise GameError(message, code="other-format")
    # The digest detects only accidental damage. Anybody can write another file with a correct digest.
    body = text.partition('"save": ')[2].rstrip()[:-1]
    if not text.startswith(_opening(body)) and not _is_rewritten(data):
        raise GameError(
            f"{name} was changed after it was saved. If a program or a database has stored it as JSON, let it store "
            f"the save as text",
            code="damaged",
        )
    if set(data) != {"rulewright", "check", "save"}:
        raise GameError(f"{name} is damaged: it contains more than a save", code="damaged")
    save: dict[str, Any] = data["save"]
    refuse_members(save, name)
    return save


def refuse_members(save: Any, name: str) -> None:
    """Raise `GameError` for data without exactly the members of a save, each of its type and within the limits.

    The limits are `MOST_ENTRIES` choices and results, and `MOST_WORDS` random words. The message uses `name`.
    """
    if not isinstance(save, dict) or set(save) != set(_MEMBERS):
        raise GameError(f"{name} is damaged: it must have exactly these members: {', '.join(_MEMBERS)}", code="damaged")
    for key, kinds in _MEMBERS.items():
        # Not `isinstance`, because bool is a subclass of int.
        if type(save[key]) not in (kinds if isinstance(kinds, tuple) else (kinds,)):
            raise GameError(f"{name} is damaged: its `{key}` has the wrong type", code="damaged")
    if len(save["record"]) > MOST_ENTRIES or not 0 <= save["rolled"] <= MOST_WORDS:
        message = f"{name} has more than {MOST_ENTRIES:,} choices and results, the limit for saves"
        raise GameError(message, code="damaged")


def _is_rewritten(data: Mapping[str, Any]) -> bool:
    """Return whether a save has the data that its digest is of, in a text that another program has written.

    The program may have kept the order of the keys, or not.
    """
    save = data.get("save")
    try:
        bodies = [json.dumps(each, ensure_ascii=False) for each in (save, _sort(save))]
    except RecursionError:
        return False
    return data.get("check") in [_hash_body(body) for body in bodies]


def _sort(save: Any) -> Any:
    """Return the data of a save with all keys in the order in which `save_text` writes them."""
    try:
        state = save["state"]
        objects = {number: state["objects"][number] for number in sorted(state["objects"], key=int)}
        frames = [{"at": each["at"], "values": each["values"]} for each in state["frames"]]
        return {
            **{key: save[key] for key in _MEMBERS},
            "options": dict(sorted(save["options"].items())),
            "state": {**{key: state[key] for key in _OF_A_STATE}, "objects": objects, "frames": frames},
        }
    except (TypeError, ValueError, LookupError, AttributeError):
        return save  # not a save, and so its digest cannot be right


def _opening(body: str) -> str:
    return _OPENING.format(format=FORMAT, check=_hash_body(body))


def _hash_body(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


def refuse_other_rules(name: str, data: Mapping[str, Any], ruleset: Ruleset) -> None:
    """Raise `GameError` if a save has another gameplay digest than `ruleset`. The message names the one to load."""
    if data["digest"] == ruleset.digest:
        return
    played = f"{name} was played under {shorten(data['ruleset'])}, gameplay digest {shorten(data['digest'])}"
    migrate = "repeat its choices under other rules with `rulewright replay --onto` or `migrate_save`"
    if data["ruleset"] != ruleset.reference:
        raise GameError(
            f"{played}, not under {ruleset.reference}. Load {shorten(data['ruleset'])}, install it, or {migrate}",
            code="other-gameplay",
        )
    raise GameError(
        f"{played}, but its rules have changed since: their digest is now {ruleset.digest}. Restore the old rules in a "
        f"folder and search there (`rules=` in Python, `--rules` in a command), or {migrate}",
        code="other-gameplay",
    )
