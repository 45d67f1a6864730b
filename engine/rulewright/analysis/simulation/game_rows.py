"""A CSV or Parquet file with one row per game."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rulewright.analysis.simulation.game_counts import GameRow
from rulewright.base.errors import MissingExtraError
from rulewright.source.files.atomic_write import open_replacement

if TYPE_CHECKING:
    from rulewright.ruleset.ruleset import Ruleset

NO_PYARROW = "Parquet requires pyarrow, which is not installed: pip install 'rulewright[parquet]', or name a .csv file"


class RowWriter(Protocol):
    """A table file that accepts rows."""

    def write(self, rows: Sequence[GameRow]) -> None:
        """Add rows."""

    def close(self) -> None:
        """Write the remaining data and close the file."""


@contextmanager
def open_table(path: Path, ruleset: Ruleset, seats: int) -> Iterator[RowWriter]:
    """Open a table file of games for writing. The suffix `.parquet` selects Parquet, and any other suffix CSV.

    The file replaces `path` at the end of the block, also after an interrupt, but not after another exception. Raises
    `MissingExtraError` for Parquet without pyarrow, and `OSError` if the file cannot be written.
    """
    columns = ["game", *(f"seat_{seat}" for seat in range(1, seats + 1)), "winners", "decisions", *ruleset.measures]
    make = _Parquet if path.suffix == ".parquet" else _Csv
    interrupted: KeyboardInterrupt | None = None
    with open_replacement(path) as place:
        result = make(place, columns)
        try:
            yield result
        except KeyboardInterrupt as error:
            interrupted = error
        finally:
            result.close()
    if interrupted is not None:
        raise interrupted


def format_row(row: GameRow, columns: Sequence[str]) -> list[Any]:
    """Return the cells of a row.

    Winners are seat numbers from 1, such as `1 3`. An empty cell means a draw, and `?` a game that did not end.
    """
    winners = "?" if row.winning_seats is None else " ".join(map(str, row.winning_seats))
    values = [row.measures.get(name) for name in columns[len(row.seats) + 3 :]]
    return [row.number, *row.seats, winners, row.decisions, *values]


class _Csv:
    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self.columns = columns
        self.file = path.open("w", encoding="utf-8", newline="")
        self.writer = csv.writer(self.file)
        self.writer.writerow(columns)

    def write(self, rows: Sequence[GameRow]) -> None:
        self.writer.writerows(format_row(row, self.columns) for row in rows)

    def close(self) -> None:
        self.file.close()


class _Parquet:
    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        """Open the file for writing. Raises `MissingExtraError` without pyarrow."""
        try:
            # pyarrow is an optional dependency, and has no type hints.
            pyarrow: Any = import_module("pyarrow")
            parquet: Any = import_module("pyarrow.parquet")
        except ImportError:
            raise MissingExtraError(NO_PYARROW) from None
        words = {name for name in columns if name.startswith("seat_")} | {"winners"}
        types = [(name, pyarrow.string() if name in words else pyarrow.int64()) for name in columns]
        self.arrow = pyarrow
        self.columns = columns
        self.schema = pyarrow.schema(types)
        self.writer = parquet.ParquetWriter(path, self.schema)

    def write(self, rows: Sequence[GameRow]) -> None:
        if rows:
            cells = zip(*(format_row(row, self.columns) for row in rows), strict=True)
            arrays = [self.arrow.array(each, type=kind.type) for each, kind in zip(cells, self.schema, strict=True)]
            self.writer.write_table(self.arrow.Table.from_arrays(arrays, schema=self.schema))

    def close(self) -> None:
        self.writer.close()
