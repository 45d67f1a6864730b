"""A site is replaced as a whole or not at all, whatever ends the run; what a killed run leaves, the next removes."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from rulewright.book.site import atomic_swap as replacing_module
from rulewright.book.site.atomic_swap import MARK, OutputError, check_output, open_scratch, replace_folder

HALF = """
import sys, time
from pathlib import Path
from rulewright.book.site.atomic_swap import replace_folder
with replace_folder(Path(sys.argv[1])) as folder:
    (folder / "index.html").write_text("half")
    print("working", flush=True)
    time.sleep(60)
"""

BETWEEN = """
import os, sys
from pathlib import Path
from rulewright.book.site import atomic_swap as replacing
replacing.exchange_folders = lambda one, other: False
rename, calls = Path.rename, []
def dying(self, target):
    calls.append(target)
    if len(calls) == 2:
        os.kill(os.getpid(), 9)
    return rename(self, target)
Path.rename = dying
with replacing.replace_folder(Path(sys.argv[1])) as folder:
    (folder / "index.html").write_text("new")
"""


def put(output: Path, text: str) -> None:
    with replace_folder(output) as folder:
        (folder / "index.html").write_text(text)


def failing(output: Path, fault: Exception) -> None:
    """Half a site, while the old one can still be read."""
    with replace_folder(output) as folder:
        (folder / "index.html").write_text("half")
        assert (output / "index.html").read_text() == "old"
        raise fault


def beside(output: Path) -> list[str]:
    return sorted(path.name for path in output.parent.iterdir())


def killed_half_way(output: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HALF, str(output)], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "working\n"
        run.kill()


def test_the_next_run_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    output = tmp_path / "site"
    put(output, "old")
    killed_half_way(output)
    assert len(beside(output)) == 2
    assert (output / "index.html").read_text() == "old"
    put(output, "new")
    assert beside(output) == ["site"]
    assert (output / "index.html").read_text() == "new"


def test_the_folder_of_a_run_that_still_works_is_left_alone(tmp_path: Path) -> None:
    output = tmp_path / "site"
    with subprocess.Popen([sys.executable, "-c", HALF, str(output)], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        run.stdout.readline()
        put(output, "mine")
        assert len(beside(output)) == 2
        run.kill()


def test_only_folders_of_ours_are_removed(tmp_path: Path) -> None:
    output = tmp_path / "site"
    (tmp_path / ".site-backup").mkdir()
    (tmp_path / ".site.building-link").symlink_to(tmp_path / ".site-backup")
    (tmp_path / ".site.building-file").write_text("kept")
    put(output, "new")
    assert beside(output) == [".site-backup", ".site.building-file", ".site.building-link", "site"]


def test_a_kill_between_two_renames_costs_no_site(tmp_path: Path) -> None:
    output = tmp_path / "site"
    put(output, "old")
    assert subprocess.run([sys.executable, "-c", BETWEEN, str(output)], check=False).returncode == -9
    assert not output.exists()
    with pytest.raises(ZeroDivisionError):
        failing(output, ZeroDivisionError())
    assert (output / "index.html").read_text() == "old"
    assert beside(output) == ["site"]


def test_checking_the_folder_puts_the_old_site_back_too(tmp_path: Path) -> None:
    output = tmp_path / "site"
    put(output, "old")
    subprocess.run([sys.executable, "-c", BETWEEN, str(output)], check=False)
    check_output(output)
    assert (output / "index.html").read_text() == "old"


def test_who_reads_meanwhile_finds_a_whole_site(tmp_path: Path) -> None:
    output = tmp_path / "site"
    put(output, "0")
    if not replacing_module.exchange_folders(output, output.parent / "nothing") and not _can_exchange(tmp_path):
        pytest.skip("this file system cannot exchange folders")
    done, missing = Event(), []

    def read() -> None:
        while not done.is_set():
            try:
                assert (output / "index.html").read_text().isdecimal()
            except FileNotFoundError as error:
                # Between finding the folder and opening the file in it, the folder may become the old one.
                if not output.exists():
                    missing.append(error)

    reader = Thread(target=read)
    reader.start()
    for place in range(1, 100):
        put(output, str(place))
    done.set()
    reader.join()
    assert missing == []
    assert (output / "index.html").read_text() == "99"


def _can_exchange(folder: Path) -> bool:
    for name in "ab":
        (folder / name).mkdir()
    return replacing_module.exchange_folders(folder / "a", folder / "b")


@pytest.mark.parametrize("output", [".", "..", "/"])
def test_the_folder_one_stands_in_is_not_replaced(output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    with pytest.raises(OutputError, match="contains the current folder"):
        check_output(Path(output))
    assert (tmp_path / "empty").is_dir()


def test_a_link_to_the_site_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    put(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "index.html").read_text() == "new"


def test_a_full_disk_keeps_the_old_site(tmp_path: Path) -> None:
    output = tmp_path / "site"
    put(output, "old")
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "index.html")
    with pytest.raises(OutputError, match=r"No space left on device.*nothing was changed"):
        failing(output, full)
    assert (output / "index.html").read_text() == "old"
    assert (output / MARK).is_file()
    assert beside(output) == ["site"]


@pytest.mark.parametrize("output", ["/proc/nowhere/site", "/dev/null/site", "a" * 300, "a\0b"])
def test_what_cannot_be_written_is_said_before_any_work(output: str, tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        check_output(tmp_path / output)


def test_the_command_says_it_before_it_reads_the_rules(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "rulewright",
        "book",
        "build",
        "--output",
        "/proc/nowhere/site",
        "--rules",
        "/nowhere",
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "the site cannot be written to `/proc/nowhere/site`" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_served_folder_is_swept_by_the_next_one(tmp_path: Path) -> None:
    code = "import sys,time;from pathlib import Path;from rulewright.book.site.atomic_swap import open_scratch\n"
    code += "with open_scratch(Path(sys.argv[1]), 'rulewright-serve-'): print('x', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        run.stdout.readline()
        run.kill()
    assert len(list(tmp_path.iterdir())) == 1
    with open_scratch(tmp_path, "rulewright-serve-") as folder:
        assert list(tmp_path.iterdir()) == [folder]
    assert list(tmp_path.iterdir()) == []


def test_what_python_leaves_is_no_part_of_the_site(tmp_path: Path) -> None:
    from mkdocs.config import load_config
    from mkdocs.structure.files import get_files, set_exclusions

    from rulewright.book.site.mkdocs_build import find_settings

    for name in ("__pycache__/docs_hook.cpython-311.pyc", "assets/__pycache__/x.pyc", "assets/kept.css"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    config = load_config(str(find_settings()), docs_dir=str(tmp_path))
    files = get_files(config)
    set_exclusions(files, config)
    assert [file.src_uri for file in files if file.inclusion.is_included()] == ["assets/kept.css"]
