"""Files of the cache, harmed with a good signature: passed over, and the rules are read as if there were none."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

from rulewright import load_ruleset
from rulewright.ruleset.cache import cache_folder
from rulewright.ruleset.cache.safe_unpickling import UnpackError, pack, unpack
from tests.fuzz.mutate import main


@cache
def sound() -> tuple[bytes, str]:
    ruleset = load_ruleset("pig/classic")
    return pack(ruleset.declarations), ruleset.digest


def trial(random: Random) -> None:
    """Unpack bytes of which some were changed, and a whole cache with damaged files."""
    content, digest = sound()
    harm = bytearray(content)
    for _ in range(random.randint(1, 8)):
        harm[random.randrange(len(harm))] = random.randrange(256)
    with suppress(UnpackError):
        unpack(bytes(harm))
    if random.random() < 0.02:
        before = os.environ.get(cache_folder.VARIABLE)
        with tempfile.TemporaryDirectory() as place:
            os.environ[cache_folder.VARIABLE] = place
            try:
                load_ruleset("pig/classic")
                for path in Path(place).iterdir():
                    cache_folder.write(path.stem, random.randbytes(random.randrange(4_000)))
                assert load_ruleset("pig/classic").digest == digest
            finally:
                del os.environ[cache_folder.VARIABLE]
                if before is not None:
                    os.environ[cache_folder.VARIABLE] = before


if __name__ == "__main__":
    main("caches", trial)
