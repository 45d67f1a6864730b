"""The Nu checker finds no fault in the HTML of any page but those of the theme."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.breadth import THOROUGH
from tests.published import editions
from tests.site.conftest import program, tool
from tests.site.kinds import FAULTS, SITE

pytestmark = pytest.mark.slow

KNOWN = {
    # The theme's boxes for its menu and its search; browsers would otherwise open them again on a reload.
    r"Attribute “autocomplete” is only allowed when the input type is .*": "the theme",
    # The checker reads files, which have no host, so that nothing is the site's own; and data is no script that runs.
    r"Resource violates Content Security Policy .*": "the checker",
    r"Inline script violates Content Security Policy .*": "the checker",
}

# The quick compiler: what the other one makes faster has been checked before it is ready. Its frames need more room.
JAVA = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss4m")


def check(*arguments: str | Path) -> list[dict[str, str]]:
    """Return what the checker says of these files or folders."""
    jar = tool("vnu-jar/build/dist/vnu.jar")
    ran = subprocess.run(
        [program("java"), *JAVA, "-jar", str(jar), "--format", "json", "--skip-non-html", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    messages: list[dict[str, str]] = json.loads(ran.stderr)["messages"]
    return messages


def test_no_fault_that_is_ours(published: Path) -> None:
    """All books are made by the same templates: the fullest and the smallest show what they can hold."""
    books = set(editions().values())
    few = {editions()["fuzzy-knights/normal@1.0.1"], editions()["pig/classic@1.0.0"]}
    parts = sorted((published / SITE).iterdir())
    looked_at = [part for part in parts if THOROUGH or part.name in few or part.name not in books]
    messages = check(published / FAULTS, *looked_at)
    ours = [
        f"{message['url'].rpartition('/books/')[2]}:{message.get('lastLine', '')} {message['message']}"
        for message in messages
        if not any(re.fullmatch(pattern, message["message"]) for pattern in KNOWN)
    ]
    assert ours == []
    unused = [pattern for pattern in KNOWN if not any(re.fullmatch(pattern, m["message"]) for m in messages)]
    assert unused == [], "these faults are gone: take them off the list"


def test_the_checker_sees_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<!doctype html><html lang=en><title>Proof</title><p><div></p>", "utf-8")
    assert [message["message"] for message in check(tmp_path) if message["type"] == "error"]
