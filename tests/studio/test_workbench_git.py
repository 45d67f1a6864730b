"""What `git` is asked runs nothing that a repository sets up: folders of rules come from anybody."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.studio.storage import git_history

pytestmark = pytest.mark.skipif(os.name == "nt", reason="what is set up here are programs of a shell")

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Return a repository with one file that is committed; asks its `git`."""
    work = tmp_path / "work"

    def ask(*arguments: str) -> str:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *who, *arguments], cwd=work, check=True, capture_output=True, text=True)
        return done.stdout

    (work / "house").mkdir(parents=True)
    ask("init", "--quiet")
    (work / "house" / "rules.yaml").write_text("numbers: {goal: 50}\n")
    ask("add", ".")
    ask("commit", "--quiet", "-m", "First")
    return ask


def trap(tmp_path: Path) -> tuple[Path, Path]:
    """Return a program that leaves a mark when it is run, and the mark."""
    program, mark = tmp_path / "trap.sh", tmp_path / "sprung"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    return program, mark


def ask_everything(work: Path) -> bool:
    """Return all that is read of `git`; whether the file is clean."""
    assert git_history.is_repository(work / "house")
    for each in git_history.list_commits(work / "house", "rules.yaml"):
        git_history.read_content(work / "house", each.id, each.path)
    return git_history.is_clean(work / "house", ["rules.yaml"])


def test_clean_is_what_was_committed_last(tmp_path: Path, git: Git) -> None:
    house = tmp_path / "work" / "house"
    assert git_history.is_clean(house, ["rules.yaml"])
    (house / "rules.yaml").write_text("numbers: {goal: 51}\n")  # as long as before
    assert not git_history.is_clean(house, ["rules.yaml"])
    git("commit", "--quiet", "-am", "Second")
    assert git_history.is_clean(house, ["rules.yaml"])
    (house / "new.yaml").write_text("numbers: {}\n")
    assert not git_history.is_clean(house, ["rules.yaml", "new.yaml"])
    git("add", ".")
    assert not git_history.is_clean(house, ["rules.yaml", "new.yaml"])


def test_line_breaks_of_a_system_are_no_change(tmp_path: Path, git: Git) -> None:
    house = tmp_path / "work" / "house"
    (house / "rules.yaml").write_bytes(b"numbers: {goal: 50}\r\n")
    assert not git_history.is_clean(house, ["rules.yaml"])
    git("config", "core.autocrlf", "true")
    assert git_history.is_clean(house, ["rules.yaml"])


def test_a_repository_without_a_commit_is_not_clean(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    (tmp_path / "rules.yaml").write_text("numbers: {}\n")
    assert not git_history.is_clean(tmp_path, ["rules.yaml"])


@pytest.mark.parametrize("kind", ["clean", "process", "fsmonitor", "hooks", "textconv", "external"])
def test_nothing_that_a_repository_sets_up_is_run(tmp_path: Path, git: Git, kind: str) -> None:
    work = tmp_path / "work"
    program, mark = trap(tmp_path)
    (work / ".gitattributes").write_text("*.yaml filter=theirs diff=theirs\n")
    for key in {
        "clean": ["filter.theirs.clean", "filter.theirs.smudge"],
        "process": ["filter.theirs.process"],
        "fsmonitor": ["core.fsmonitor"],
        "textconv": ["diff.theirs.textconv"],
        "external": ["diff.theirs.command", "diff.external"],
    }.get(kind, []):
        git("config", key, str(program))
    if kind == "hooks":
        git("config", "core.hooksPath", str(tmp_path / "hooks"))
        (tmp_path / "hooks").mkdir()
        for name in ("post-index-change", "reference-transaction", "post-checkout"):
            (tmp_path / "hooks" / name).symlink_to(program)
    rules = work / "house" / "rules.yaml"
    # As long as before, and newer than what git knows of it: git itself would have to look inside.
    rules.write_text("numbers: {goal: 51}\n")
    os.utime(rules, (2_000_000_000, 2_000_000_000))
    assert not ask_everything(work)
    assert not mark.exists()


def test_what_is_missing_of_a_repository_is_not_fetched(tmp_path: Path, git: Git) -> None:
    """A repository may say that it is a part of another one, and by what program the rest is brought."""
    program, mark = trap(tmp_path)
    blob = git("rev-parse", "HEAD:house/rules.yaml").strip()
    git("config", "remote.origin.url", str(tmp_path / "elsewhere"))
    git("config", "remote.origin.promisor", "true")
    git("config", "remote.origin.partialclonefilter", "blob:none")
    git("config", "remote.origin.uploadpack", str(program))
    git("config", "extensions.partialClone", "origin")
    (tmp_path / "work" / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    (tmp_path / "elsewhere").mkdir()
    first, *_ = git_history.list_commits(tmp_path / "work" / "house", "rules.yaml")
    assert git_history.read_content(tmp_path / "work" / "house", first.id, first.path) is None
    ask_everything(tmp_path / "work")
    assert not mark.exists()
