"""The theme's templates, compiled once in a process: MkDocs makes an environment of its own for every book."""

from __future__ import annotations

from types import CodeType

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class TemplateCache(BytecodeCache):
    """A cache of compiled templates in memory. Jinja's keys contain the text of a template, so edits take effect."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._code[bucket.key, bucket.checksum] = bucket.code


COMPILED = TemplateCache()
