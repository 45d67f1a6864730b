"""Runs that stop, are gone on with, and write what they find."""

from __future__ import annotations

import csv
import json
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from rulewright import Ruleset, RulewrightError, load_ruleset
from rulewright.analysis.simulation.checkpoint import Checkpoint
from rulewright.analysis.simulation.game_rows import open_table
from rulewright.analysis.simulation.metrics import parse_until
from rulewright.analysis.simulation.run_simulation import SimulationRun, begin_run, iterate_steps, simulate
from rulewright.analysis.simulation.shard import pack_rules, play, unpack_rules
from rulewright.analysis.simulation.workers import describe_programs, iterate_in_order, open_processes, spread
from rulewright.engine.wasm_backend.interrupts import defer_interrupts
from tests.analysis.walks import written
from tests.language.inline import sound


@pytest.fixture(scope="module")
def pig() -> Ruleset:
    return load_ruleset("pig/classic@1.0")


def stopped(pig: Ruleset, width: str, **settings: object) -> SimulationRun:
    run = begin_run(pig, policies=["greedy", "random"])
    until = parse_until(width)
    for _ in iterate_steps(pig, run, games=5_000, growing=True, **settings):  # type: ignore[arg-type]
        if until.is_reached(run.counts, pig, run.shard.policies)[0]:
            break
    return run


def test_a_run_stops_at_the_same_game_for_any_number_of_workers(pig: Ruleset) -> None:
    alone = stopped(pig, "decisions=12")
    assert 10 < alone.counts.games < 5_000
    with ThreadPoolExecutor(3) as threads:
        assert stopped(pig, "decisions=12", executor=threads).counts.to_plain() == alone.counts.to_plain()
    assert stopped(pig, "decisions=12", workers=2).counts.to_plain() == alone.counts.to_plain()


def test_a_run_stops_when_its_interval_is_narrow(pig: Ruleset) -> None:
    run = stopped(pig, "20%")
    _, figure = parse_until("20%").is_reached(run.counts, pig, run.shard.policies)
    assert figure.id == "wins.greedy"
    assert 0 < figure.width <= 0.2


@pytest.mark.parametrize("text", ["", "0", "-1", "nan", "inf", "x", "decisions=", "decisions=x"])
def test_a_width_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(RulewrightError, match="not a width above 0"):
        parse_until(text)


def test_the_width_of_a_share_is_no_more_than_all_there_is(pig: Ruleset) -> None:
    with pytest.raises(RulewrightError, match=r"write `5%` or `0\.05`"):
        parse_until("5")
    run = begin_run(pig)
    with pytest.raises(RulewrightError, match=r"write `draws=5%` or `draws=0\.05`"):
        parse_until("draws=5").is_reached(run.counts, pig, run.shard.policies)
    assert parse_until("decisions=5").is_reached(run.counts, pig, run.shard.policies)[1].id == "decisions"
    assert parse_until("100%").width == parse_until("1").width == 1


def test_a_figure_that_there_is_not_is_refused(pig: Ruleset) -> None:
    run = begin_run(pig)
    with pytest.raises(RulewrightError, match="did you mean `best`"):
        parse_until("bets=1").is_reached(run.counts, pig, run.shard.policies)


def test_a_run_gone_on_with_is_the_whole_run(pig: Ruleset, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    for games in (7, 31, 50):
        run = begin_run(pig, policies=["greedy", "random"], coverage=True)
        checkpoint = Checkpoint(file, pig)
        checkpoint.read_into(run)
        for _ in iterate_steps(pig, run, games=games):
            checkpoint.write(run)
    assert run.counts.to_plain() == simulate(pig, games=50, policies=["greedy", "random"], coverage=True).to_plain()
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seed": 2}, "seed: `0` there, `2` here"),
        ({"coverage": True}, "coverage: false there, true here"),
        ({"policies": ["random", "greedy"]}, "policies: `random,random` there, `random,greedy` here"),
        ({"values": [("numbers.goal", "50")]}, "digest: `"),
    ],
)
def test_another_run_is_refused(pig: Ruleset, tmp_path: Path, settings: dict[str, object], message: str) -> None:
    from rulewright.ruleset.overlay import with_values

    file = tmp_path / "run.json"
    run = begin_run(pig)
    for _ in iterate_steps(pig, run, games=5):
        Checkpoint(file, pig).write(run)
    overlay = with_values(pig, settings.get("values", ()))  # type: ignore[arg-type]
    with pytest.raises(RulewrightError) as error:
        Checkpoint(file, overlay).read_into(begin_run(overlay, **settings))  # type: ignore[arg-type]
    assert "error[other-run]" in str(error.value)
    assert message in str(error.value)


def test_a_run_of_other_measures_is_another_run(tmp_path: Path) -> None:
    """They change no game, but what has been counted so far was counted otherwise."""
    rules = """
state: {turn: int}
procedures:
  game:
    steps: [{id: face, roll: 1d6}, {id: on, set: {turn: face}}, {id: end, finish: {winners: list(p for p in players)}}]
measures:
  face: {is: turn, title: Face, means: Face.}
"""
    manifest = "{ruleset: test/inline, version: 1.0.0, title: Inline, players: 1..2, start: game}"
    one, two = (sound(rules.replace("is: turn,", f"is: turn + {more},"), manifest=manifest) for more in (0, 1))
    assert one.digest == two.digest
    file = tmp_path / "run.json"
    run = begin_run(one)
    for _ in iterate_steps(one, run, games=5):
        Checkpoint(file, one).write(run)
    with pytest.raises(RulewrightError, match="digest: `"):
        Checkpoint(file, two).read_into(begin_run(two))


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"rulewright simulation": 1, "settings": {}}', "\udcff"])
def test_a_file_that_holds_no_run_is_refused(pig: Ruleset, tmp_path: Path, text: str) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(RulewrightError, match="no-run"):
        Checkpoint(file, pig).read_into(begin_run(pig))


def test_a_run_that_is_cut_short_is_refused(pig: Ruleset, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    run = begin_run(pig)
    for _ in iterate_steps(pig, run, games=5):
        Checkpoint(file, pig).write(run)
    data = json.loads(file.read_text())
    del data["counts"]["lengths"]
    file.write_text(json.dumps(data))
    with pytest.raises(RulewrightError, match="damaged"):
        Checkpoint(file, pig).read_into(begin_run(pig))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_each_game_is_a_row(pig: Ruleset, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"games{suffix}"
    run = begin_run(pig, policies=["greedy", "random"], rows=True)
    with ThreadPoolExecutor(2) as threads, open_table(file, pig, 2) as out:
        for rows in iterate_steps(pig, run, games=30, executor=threads):
            out.write(rows)
    if suffix == ".csv":
        with file.open(newline="") as text:
            found = list(csv.DictReader(text))
    else:
        parquet = pytest.importorskip("pyarrow.parquet")
        found = [{name: str(value) for name, value in row.items()} for row in parquet.read_table(file).to_pylist()]
    counts = simulate(pig, games=30, policies=["greedy", "random"])
    assert [int(row["game"]) for row in found] == list(range(30))
    assert sum(int(row["decisions"]) for row in found) == counts.decisions
    assert [sum(row["winners"] == seat for row in found) for seat in ("1", "2")] == counts.wins_by_seat
    assert sum(row[f"seat_{row['winners']}"] == "greedy" for row in found) == counts.wins_by_policy["greedy"]
    assert sum(int(row["best"]) for row in found) == sum(v * n for v, n in counts.measures["best"].items())


def test_an_error_leaves_no_file(pig: Ruleset, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), open_table(tmp_path / "games.csv", pig, 2):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_rules_travel_as_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that has none of the folders plays the same games."""
    house = tmp_path / "here" / "house"
    (house / "inner").mkdir(parents=True)
    (house / "ruleset.yaml").write_text(
        "ruleset: house/short\nversion: 1.0.0\nextends: pig/classic@1.0\ntitle: Short\nstatus: draft\n"
    )
    (house / "inner" / "rules.yaml").write_text("numbers: {goal: {is: 30}}\n")
    rules = load_ruleset("house/short", rules=[house.parent])
    bundle = pack_rules(rules, (str(house.parent),))
    expected = simulate(rules, games=12).to_plain()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = unpack_rules(bundle)
    assert unpack_rules(bundle) == folder
    (tmp_path / "here").rename(tmp_path / "gone")
    assert load_ruleset("house/short", rules=[folder]).digest == rules.digest
    from dataclasses import replace

    shard = replace(begin_run(rules).shard, rules=(), bundle=bundle, last=12, programs=describe_programs())
    assert play(shard).counts.to_plain() == expected
    with pytest.raises(RulewrightError, match="the client has"):
        play(replace(shard, programs="rulewright 9.9.9, Python 2.7"))


def test_a_bundle_stays_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import zlib

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(ValueError, match="out of the folder of the bundle"):
        unpack_rules(zlib.compress(json.dumps({"../../evil.yaml": ""}).encode()))
    assert list(tmp_path.iterdir()) == []


def test_a_fault_of_the_rules_is_told_from_any_process(tmp_path: Path) -> None:
    rules = load_ruleset("test/walk", rules=[written(tmp_path)])
    texts = []
    for workers in (1, 2):
        with pytest.raises(RulewrightError) as error:
            simulate(rules, games=30, workers=workers, rules=[tmp_path], options={"trap": "set", "length": "endless"})
        texts.append(str(error.value))
    assert texts[0] == texts[1]
    assert "`game.caught`: there is nothing to choose from" in texts[0]


def test_a_worker_that_is_killed_is_told(pig: Ruleset) -> None:
    with open_processes(1) as pool, pytest.raises(RulewrightError, match="a worker was killed"):
        list(iterate_in_order(pool, os._exit, [1], ahead=1))


def test_an_interrupt_waits_for_what_must_be_whole() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), defer_interrupts():  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        done.append("whole")
    assert done == ["whole"]


class Interrupted(ThreadPoolExecutor):
    """A pool that is interrupted in the middle of what it does, at the place that is named."""

    place = ""
    whole: tuple[str, ...] = ()

    def during(self, place: str, does: Callable[[], Any]) -> Any:
        if place == self.place and place not in self.whole:
            signal.raise_signal(signal.SIGINT)
        done = does()
        self.whole += (place,)
        return done

    def submit(self, *arguments: Any, **named: Any) -> Any:
        return self.during("submit", lambda: super(Interrupted, self).submit(*arguments, **named))


@pytest.mark.parametrize("play", [iterate_in_order, spread], ids=["in order", "as it comes"])
@pytest.mark.parametrize("place", ["submit", "wait", "result"])
def test_an_interrupt_never_breaks_into_what_a_pool_does(
    monkeypatch: pytest.MonkeyPatch, place: str, play: Callable[..., Iterator[int]]
) -> None:
    with Interrupted(1) as pool:
        pool.place = place
        real_wait, real_result = wait, Future.result

        def waited(*arguments: Any, **named: Any) -> Any:
            return pool.during("wait", lambda: real_wait(*arguments, **named))

        def result(future: Future[int], timeout: float | None = None) -> Any:
            return pool.during("result", lambda: real_result(future, timeout))

        monkeypatch.setattr("rulewright.analysis.simulation.workers.wait", waited)
        monkeypatch.setattr(Future, "result", result)
        with pytest.raises(KeyboardInterrupt):
            list(play(pool, abs, range(4), ahead=2))
    assert place in pool.whole


def test_an_interrupt_calls_off_all_that_has_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    with Interrupted(1) as pool:
        pool.place = "cancel"
        real_cancel = Future.cancel
        monkeypatch.setattr(Future, "cancel", lambda future: pool.during("cancel", lambda: real_cancel(future)))
        results = iterate_in_order(pool, abs, range(6), ahead=3)
        next(results)
        with pytest.raises(KeyboardInterrupt):
            results.close()
    assert pool.whole.count("cancel") == 3


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no list of signals here")
def test_processes_of_a_pool_are_all_there_before_anything_else_and_hear_of_no_interrupt() -> None:
    """One that is started later could be interrupted while it starts, and would say so on the terminal."""
    before = set(active_children())
    with open_processes(2):
        started = set(active_children()) - before
        assert len(started) == 2
        for process in started:
            status = Path(f"/proc/{process.pid}/status").read_text()
            [blocked] = [int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigBlk")]
            assert blocked >> (signal.SIGINT - 1) & 1
