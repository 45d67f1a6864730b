"""The pictures of *House rules in three minutes* are those that the page shows, small, and made by its own steps."""

from __future__ import annotations

import re

from PIL import Image

from tests.studio.pictures import FOLLOWS, INTO, MOST, RULE, SUFFIX

PAGE = INTO.parents[1] / "tutorials" / "house-rules.md"


def test_the_page_shows_every_picture_and_each_is_small() -> None:
    matches = re.findall(
        r"!\[([^\]]+)\]\(\.\./tools/studio/([\w-]+\.png)#only-(light|dark)\)", PAGE.read_text(encoding="utf-8")
    )
    assert sorted(name for _, name, _ in matches) == sorted(path.name for path in INTO.iterdir())
    # Each is there for both: the same scene, said in the same words.
    scenes = {(words, name.removesuffix(f"{SUFFIX[scheme]}.png")) for words, name, scheme in matches}
    assert len(matches) == len(SUFFIX) * len(scenes) <= 12
    for path in INTO.iterdir():
        assert path.stat().st_size <= MOST, path.name
        with Image.open(path) as drawn:
            assert drawn.size == (1100, 620)


def test_the_script_types_what_the_page_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert f"```yaml\n{RULE}```" in text
    assert f"```yaml\n{FOLLOWS}```" in text
