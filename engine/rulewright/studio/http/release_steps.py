"""Guided release with check, review sign-off, balance, version, lock, book, and a commit in a Git repository."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

from rulewright.analysis.simulation.play_expectations import Evidence, format_evidence, judge, report_judgement
from rulewright.analysis.simulation.run_simulation import Progress
from rulewright.analysis.simulation.stopping import StoppedError
from rulewright.analysis.simulation.workers import count_processors
from rulewright.authoring.build_book import build
from rulewright.authoring.new_game import ABOUT
from rulewright.authoring.release_checks import list_obstacles, select_remaining
from rulewright.authoring.release_lock import build_draft, list_next_versions, release_manifest
from rulewright.authoring.sign_texts import build_signature, build_waiting, list_waiting, map_texts
from rulewright.book.english.grammar import capitalize
from rulewright.book.parts.rule_summaries import build_describer
from rulewright.ruleset.editions.edition import Edition
from rulewright.ruleset.lints.lock import LOCK_BROKEN
from rulewright.ruleset.prose_diagnostics import EXAMPLE_NUMBER
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.schema.edition_reference import parse_version
from rulewright.ruleset.sections.expect_play import Expectation
from rulewright.source.diagnostics.diagnostic import Diagnostic, apply_edits
from rulewright.source.files.unsaved_texts import build_file_key
from rulewright.source.nodes import Scalar
from rulewright.studio.http.json_api import Body, list_diagnostics
from rulewright.studio.http.project import BOOK, Project, ReleaseProgress
from rulewright.studio.http.project_listing import list_files
from rulewright.studio.http.starting_points import UNWRITTEN
from rulewright.studio.http.text_rewrite import prepare_text
from rulewright.studio.panels.background_job import Job
from rulewright.studio.panels.fair import WORKERS
from rulewright.studio.storage import git_history
from rulewright.studio.storage.file_content import read
from rulewright.studio.storage.http_errors import RefusedError
from rulewright.testing.edition_check import EditionCheck

State = Literal["done", "ready", "blocked", "failed", "none"]
"""The state of a step. With "none", there is nothing to do."""

_LOOKS = 4
"""The maximum number of checks until the files stay the same from one to the next. At least two are needed."""
_NAMED = 3
"""The maximum number of changed files that a message names."""


@dataclass(frozen=True, slots=True)
class ReleaseState:
    """The current state of an edition that the user wants to release."""

    studio: Project
    edition: Edition
    checked: EditionCheck
    layers: tuple[Edition, ...]
    files: Mapping[str, str]
    """The versions of all files of the edition and its base layers, by layer and name."""

    @property
    def ruleset(self) -> Ruleset | None:
        """The ruleset, or None if it has errors."""
        return self.checked.ruleset if not list_obstacles(self.checked.diagnostics) else None

    @property
    def is_locked(self) -> bool:
        """Whether the edition is released and its lock matches the current gameplay digest."""
        locked = self.edition.manifest.get("locked")
        digest = self.ruleset.digest if self.ruleset is not None else None
        return self.edition.status == "released" and isinstance(locked, Scalar) and locked.text == digest

    @property
    def names(self) -> list[str]:
        """The page's names for the edition's own files."""
        return [self.studio.folder.find_name(path) for path in list_files(self.edition)]

    def refuse_changed(self, files: Mapping[str, str]) -> None:
        """Raise `RefusedError` if the files on disk do not have these versions."""
        now = _files(self.layers)
        changed = [name for name in {**files, **now} if files.get(name) != now.get(name)]
        if changed:
            more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
            raise RefusedError(
                409,
                f"{', '.join(changed[:_NAMED])}{more} changed since your review, so nothing was done: review again",
            )


def _files(layers: Sequence[Edition]) -> dict[str, str]:
    """Return the version of each file of some layers, by layer and name. Missing files are left out."""
    results = {}
    for layer in layers:
        for path in list_files(layer):
            content = read(path)
            if content is not None:
                results[f"{layer.id}/{path.relative_to(layer.folder).as_posix()}"] = content.version
    return results


def list_steps(studio: Project, body: Body) -> Any:
    """Answer `GET /api/release` with the state of every release step of an edition, which it checks first.

    Raises `RefusedError` if the edition is missing or abstract, or its files keep changing.
    """
    return _describe_steps(_read_state(studio, body.get("ref")))


def step(studio: Project, body: Body) -> Any:
    """Answer `POST /api/release/<step>` by doing one step, and return the state of every step afterwards.

    Raises `RefusedError` for an unknown step, and if a step that writes finds other files than the client saw. Other
    `RulewrightError`s of the step pass through.
    """
    does = _DOES.get(str(body["step"]))
    if does is None:
        raise RefusedError(404, f"there is no step `{body['step']}`")
    state = _read_state(studio, body.get("ref"))
    if does in _WRITE:
        state.refuse_changed(_show(body))
    ref = does(state, body) or state.edition.id
    return _describe_steps(_read_state(studio, ref))


def _show(body: Body) -> Mapping[str, str]:
    """Return the file versions that the client saw, as `list_steps` returned them. Raises `RefusedError`."""
    files = body.get("seen")
    if not isinstance(files, dict) or not files or not all(isinstance(each, str) for each in files.values()):
        raise RefusedError(400, "`seen` is missing: review the release first")
    return files


def _read_state(studio: Project, ref: object) -> ReleaseState:
    """Return the state of an edition, consistent with the files on disk.

    Raises `RefusedError` if the edition is missing or abstract, or its files keep changing.
    """
    files: Mapping[str, str] = {}
    for _ in range(_LOOKS):
        before = files
        studio.look()
        with studio.desk.workspace() as workspace:
            edition = studio.find_edition(workspace, ref)
            if edition.status == "abstract":
                raise RefusedError(409, f"{edition.id} is abstract: release the editions that extend it")
            layers = tuple(studio.chain(workspace, edition))
            checked = workspace.check_edition(edition)
            good = workspace.check_standing(edition).sound
        files = _files(layers)
        stale = _stale(good.texts if good is not None and good.ruleset is checked.ruleset else {}, layers)
        # The check covers the files as last read, so they must not have changed since the previous round.
        if not stale and files == before:
            return ReleaseState(studio, edition, checked, layers, files)
        studio.desk.changed(stale)
    raise RefusedError(409, "the rules are being changed: try again when no one is editing")


def _stale(checked_texts: Mapping[str, str], layers: Sequence[Edition]) -> list[Path]:
    """Return the files with another text on disk than the one that was checked.

    Such a file changed without a notification.
    """
    results = []
    for path in (path for layer in layers for path in list_files(layer)):
        text = checked_texts.get(build_file_key(path))
        content = read(path) if text is not None else None
        if text is not None and (content is None or content.text != text):
            results.append(path)
    return results


# -- states ------------------------------------------------------------------------------


def _describe_steps(seen: ReleaseState) -> dict[str, Any]:
    results = [_check(seen), _signatures(seen), _balance(seen), _version(seen), _lock(seen), _book(seen)]
    if git_history.is_repository(seen.studio.root):
        results.append(_commit(seen))
    return {"ref": seen.edition.id, "seen": seen.files, "steps": results}


def _describe(identity: str, title: str, state: State, words: str, **more: Any) -> dict[str, Any]:
    return {"id": identity, "title": title, "state": state, "words": words, **more}


def _describe_blocked(identity: str, title: str) -> dict[str, Any]:
    return _describe(identity, title, "blocked", "Fix the errors first.")


def _check(seen: ReleaseState) -> dict[str, Any]:
    """Return the step of the check: failed with the errors, blocked if released rules have changed, or done."""
    title, errors = "The rules are valid", list_obstacles(seen.checked.diagnostics)
    if errors:
        words = f"{len(errors)} error{'s' if len(errors) > 1 else ''} to fix first."
        return _describe("check", title, "failed", words, diagnostics=list_diagnostics(seen.studio, errors))
    ruleset = seen.ruleset
    warnings: Sequence[Diagnostic] = seen.checked.diagnostics.warnings
    if ruleset is not None:
        warnings = [each for each in select_remaining(ruleset, warnings) if not each.code.id.startswith("text-")]
    changed = [each for each in seen.checked.diagnostics.errors if each.code is LOCK_BROKEN]
    if changed:
        words = f"{seen.edition.id} is released, and its rules have changed since. Choose a new version below."
        return _describe("check", title, "blocked", words, diagnostics=list_diagnostics(seen.studio, changed))
    words = "No mistakes were found."
    if ruleset is not None and ruleset.examples:
        words = "No mistakes were found, and every example passes."
    if warnings:
        words += f" {len(warnings)} warning{'s are' if len(warnings) > 1 else ' is'} left to review."
    return _describe("check", title, "done", words, diagnostics=list_diagnostics(seen.studio, warnings))


def _signatures(seen: ReleaseState) -> dict[str, Any]:
    """Return the step of the reviews: blocked by errors, done, or ready with the texts to choose from."""
    title, ruleset = "Every text is reviewed", seen.ruleset
    if ruleset is None:
        return _describe_blocked("sign", title)
    names = list_waiting(ruleset, released=True)
    if not names:
        if not map_texts(ruleset):
            return _describe("sign", "There are no texts to review", "none", "No text of the book describes rules.")
        return _describe("sign", title, "done", "Every text that explains a rule is signed for the current rules.")
    describe = build_describer(ruleset)
    choices = []
    for name in names:
        text = build_waiting(name, ruleset, describe)
        rules = "\n".join(str(each) for each in (*text.changed, *text.explained))
        more = {"text": text.text, "source": text.source, "rules": rules, "changes": text.results}
        choices.append({"id": name, "title": text.title, **more, "checked": False})
    words = "Compare each text with the current rules. Select those that are still correct, and change the others."
    title = f"Review {len(choices)} text{'s' if len(choices) > 1 else ''}"
    return _describe("sign", title, "ready", words, choices=choices, does="Mark the selected texts as reviewed")


def _balance(seen: ReleaseState) -> dict[str, Any]:
    """Return the step of the balance targets: blocked by errors, ready, or with the result of the last games.

    Games count only if they were played with the same rules and targets.
    """
    title, ruleset = "The balance targets are met", seen.ruleset
    if ruleset is None:
        return _describe_blocked("balance", title)
    if not ruleset.expectations:
        words = "Nothing is known about the balance. Write targets under `expect_play:`, and bots test them in games."
        return _describe("balance", "There are no balance targets", "none", words)
    known = _progress(seen).balance.get(_list_expectations(ruleset))
    if known is None:
        most = sum(each.games for each in ruleset.expectations.values())
        words = f"Bots play up to {most:,} games to test the balance targets of the rules (`expect_play:`)."
        return _describe("balance", title, "ready", words, does="Play games")
    wrong = report_judgement(known, ruleset)
    missed = any(each.severity == "error" for each in wrong)
    return _describe(
        "balance",
        title,
        "failed" if missed else "done",
        "Bots have played the games:",
        results=[_describe_evidence(each) for each in known.evidence],
        diagnostics=list_diagnostics(seen.studio, wrong),
        does="Play again",
    )


def _describe_evidence(evidence: Evidence) -> str:
    """Return a line about a metric under the name that people know, with the target and whether it is met."""
    verdict = {"holds": "met", "missed": "missed", "open": "open: too few games to tell"}[evidence.verdict]
    return f"{capitalize(evidence.metric.title)}: {format_evidence(evidence)} ({verdict})"


def _list_expectations(ruleset: Ruleset) -> str:
    """Return a key that identifies the gameplay and its balance targets."""
    expectations = ruleset.resolved.rules.get("expect_play")
    return f"{ruleset.digest} {expectations.to_plain() if expectations is not None else ''}"


def _is_first(seen: ReleaseState) -> bool:
    """Return whether no version of the rules has been released yet."""
    others = seen.studio.read_catalogue().list_editions()
    return not any(each.ruleset == seen.edition.ruleset and each.status == "released" for each in others)


def _version(seen: ReleaseState) -> dict[str, Any]:
    """Return the step of the version: done if it is chosen or locked, and otherwise with the versions to offer."""
    title, edition = "The version", seen.edition
    now = str(edition.version)
    if seen.is_locked:
        return _describe("version", title, "done", f"The version is {now}, and it is released.")
    if edition.status != "released" and edition.id in _progress(seen).versions:
        return _describe("version", title, "done", f"The version will be {now}.")
    usual = now if edition.status != "released" else str(list_next_versions(edition.version)[0])
    offered = [*([] if edition.status == "released" else [now]), *map(str, list_next_versions(edition.version))]
    choices = [{"id": each, "title": _name_version(each, edition), "usual": each == usual} for each in offered]
    if edition.status == "released":
        words = f"{now} is already released with other rules: changed rules need a new version."
        return _describe("version", title, "failed", words, choices=choices, does="Use this version")
    words = "The number shows players how much has changed since the version they know."
    if _is_first(seen):
        words = "This is the first release, so any number will do. Players tell later versions apart by it."
    return _describe("version", title, "ready", words, choices=choices, does="Use this version")


def _name_version(version: str, edition: Edition) -> str:
    """Return a version with what its number says about the changes."""
    sizes = ("a correction", "a change of some rules", "another game for its players")
    descriptions = dict(zip(list_next_versions(edition.version), sizes, strict=False))
    return f"{version}, {descriptions.get(version, 'the number in your files')}"


def _lock(seen: ReleaseState) -> dict[str, Any]:
    """Return the step of the release: blocked by errors or a released version, done, or ready with its concerns."""
    title = "The release"
    if seen.ruleset is None:
        return _describe_blocked("lock", title)
    if seen.is_locked:
        return _describe("lock", title, "done", f"{seen.edition.id} is released. Changed rules need a new version.")
    if seen.edition.status == "released":
        return _describe("lock", title, "blocked", "Choose a version first.")
    words = "After the release, the rules of this version stay as they are. Changed rules need a new version."
    return _describe("lock", title, "ready", words, does="Release it", concerns=_list_concerns(seen))


def _list_concerns(seen: ReleaseState) -> list[str]:
    """Return as clauses what the user must confirm before a release.

    That is each text without a review, targets that are unmet or untested, and numbers in texts of examples.
    """
    concerns, ruleset = [], seen.ruleset
    if ruleset is not None and (waiting := list_waiting(ruleset, released=True)):
        number = "1 text has" if len(waiting) == 1 else f"{len(waiting)} texts have"
        concerns.append(f"{number} not been compared with the current rules")
    if ruleset is not None and ruleset.expectations:
        known = _progress(seen).balance.get(_list_expectations(ruleset))
        if known is None:
            concerns.append("the balance targets have not been tested")
        elif any(each.severity == "error" for each in report_judgement(known, ruleset)):
            concerns.append("the balance targets are not met")
    stale = [each for each in seen.checked.diagnostics.warnings if each.code is EXAMPLE_NUMBER]
    if ruleset is not None and ruleset.about == ABOUT:
        concerns.append(f"`about:` in ruleset.yaml still introduces the game as “{ABOUT}”")
    return [*concerns, *(each.message for each in stale)]


def _book(seen: ReleaseState) -> dict[str, Any]:
    """Return the step of the book: blocked by errors, done if it was built from these files, or ready."""
    title = "The book"
    if seen.ruleset is None:
        return _describe_blocked("book", title)
    there = (seen.studio.root / BOOK / "index.html").is_file()
    if there and _progress(seen).books.get(seen.edition.id) == seen.files:
        words = f"The book is in the folder `{BOOK}`, ready for any web host, and also opens from disk."
        return _describe("book", title, "done", words, address=f"/{BOOK}/index.html")
    words = f"This builds a website in the folder `{BOOK}`, ready for any web host. A long book takes half a minute."
    return _describe("book", title, "ready", words, does="Build it")


def _commit(seen: ReleaseState) -> dict[str, Any]:
    """Return the step of the commit: done if all files are committed, blocked by errors, or ready."""
    title = "The commit"
    if git_history.is_clean(seen.studio.root, seen.names):
        return _describe("commit", title, "done", "Everything is committed.")
    if seen.ruleset is None:
        return _describe_blocked("commit", title)
    words = f"This commits only the files of {seen.edition.id}. Nothing is pushed."
    return _describe("commit", title, "ready", words, does="Commit it")


# -- actions -----------------------------------------------------------------------------


def _sign(seen: ReleaseState, body: Body) -> None:
    """Write the signatures of the selected texts, as one undo step. Texts that are signed already are left out.

    Raises `RefusedError` if the edition has errors, if no text is selected, or if another program changes a file. The
    signatures before that stay.
    """
    ruleset, studio = _sound(seen), seen.studio
    names = list_waiting(ruleset, _texts(body), released=True)
    together, expected = f"sign:{uuid4()}", seen.files
    for name in names:
        # A signature may shift the lines of the next one, so look up the positions again.
        with studio.desk.workspace() as workspace:
            known = {each.edition.id: each for each in workspace.check_file(seen.edition.path)}
        edit = build_signature(name, known[seen.edition.id].ruleset)
        if edit is None:
            raise RefusedError(409, "there is no rules file for the signature: create one, such as rules.yaml")
        path = studio.folder.find_name(Path(edit.span.file))
        with studio.folder.lock():
            seen.refuse_changed(expected)
            content = studio.folder.read(path)
            text = apply_edits(content.text, [edit])
            studio.folder.save(path, text, content.version, step=together, words=f"{name} signed")
            expected = _files(seen.layers)


def _rewrite(seen: ReleaseState, body: Body) -> None:
    """Write the new wording of a text into the edition's own rules, with the fixes that the user has chosen for it.

    Raises `RefusedError` for errors in the rules, an invalid name, text or fix, files that have changed, and as
    `prepare_text` does.
    """
    ruleset, folder = _sound(seen), seen.studio.folder
    name, text, fixes = body.get("id"), body.get("text"), body.get("fixes", [])
    if not isinstance(name, str) or name not in map_texts(ruleset) or not isinstance(text, str) or not text.strip():
        raise RefusedError(400, "name a text of this edition, and its new wording")
    if UNWRITTEN.search(text.replace("\n", "")):
        raise RefusedError(400, "the text contains a character that a rules file cannot store: remove it")
    if not isinstance(fixes, list) or not all(isinstance(each, str) for each in fixes):
        raise RefusedError(400, "`fixes` must be a list of titles")
    rewritten = prepare_text(seen.studio, seen.edition, name, text.strip(), fixes)
    with folder.lock():
        seen.refuse_changed(_show(body))
        texts = {path: (written, folder.read(path).version) for path, written in rewritten.items()}
        folder.put(texts, f"{name} rewritten")


def _play(seen: ReleaseState, body: Body) -> None:
    """Play the games of the balance targets, and remember the result. Progress goes to all windows.

    Raises `RefusedError` if the edition has errors or another job replaces this one.
    """
    ruleset, studio = _sound(seen), seen.studio

    rules = [str(path) for path in studio.read_catalogue().paths]

    def play(job: Job) -> None:
        def progress(expectation: Expectation) -> Progress:
            def report_progress(done: int, of: int, seconds: float) -> None:
                job.tell({"step": "balance", "expectation": expectation.id, "done": done, "of": of})

            return report_progress

        known = judge(ruleset, rules=rules, workers=min(WORKERS, count_processors()), progress=progress)
        _progress(seen).balance[_list_expectations(ruleset)] = known

    _one_at_a_time(studio, play)


def _one_at_a_time(studio: Project, work: Callable[[Job], None]) -> None:
    """Run a long task as the studio's only job, and wait for it. A running job is stopped.

    Raises `RefusedError` if another job replaces this one.
    """
    try:
        studio.desk.jobs.run("release", work)
    except StoppedError as error:
        raise RefusedError(409, str(error)) from None


def _take_version(seen: ReleaseState, body: Body) -> str:
    """Write another version as a draft into the manifest, remember the choice, and return the edition's new id.

    Raises `RefusedError` for an invalid version, one that exists already, and one that is released with other rules.
    """
    chosen = str(body.get("choice") or body.get("version") or "")
    try:
        version = str(parse_version(chosen))
    except ValueError:
        raise RefusedError(400, f"`{chosen[:50]}` is not a version such as 1.0.0") from None
    ref = f"{seen.edition.ruleset}@{version}"
    if version == str(seen.edition.version):
        if seen.edition.status == "released" and not seen.is_locked:
            raise RefusedError(409, f"{ref} is already released with other rules: choose another version")
    else:
        if any(each.id == ref for each in seen.studio.read_catalogue().list_editions()):
            raise RefusedError(409, f"{ref} already exists")
        _manifest(seen, lambda text: build_draft(text, version), f"version {version}")
    _progress(seen).versions.add(ref)
    return ref


def _release(seen: ReleaseState, body: Body) -> None:
    """Lock the edition in its manifest.

    Raises `RefusedError` for errors in the rules, concerns that the user has not confirmed, and files that have
    changed, and `RulewrightError` as `release_manifest` does.
    """
    digest = _sound(seen).digest
    concerns = _list_concerns(seen)
    if concerns and not seen.is_locked and body.get("anyway") is not True:
        raise RefusedError(409, f"nothing was released: confirm first that {'; '.join(concerns)}")
    others = seen.studio.read_catalogue().list_editions()
    _manifest(seen, lambda _: release_manifest(seen.edition, digest, others=others), f"{seen.edition.id} released")


def _build(seen: ReleaseState, body: Body) -> None:
    """Build the book of the edition in place of the one built before, and remember from which files.

    Raises `RefusedError` if the edition has errors or another job replaces this one, and the exceptions of `build`.
    """
    _sound(seen)
    studio = seen.studio
    catalogue = studio.read_catalogue()
    only = [each for each in catalogue.list_editions() if each.id == seen.edition.id]

    def make(job: Job) -> None:
        # The new book replaces that of any other edition.
        _progress(seen).books.clear()
        build(catalogue, studio.folder.place(BOOK), only, archive=False)
        _progress(seen).books[seen.edition.id] = seen.files

    _one_at_a_time(studio, make)


def _keep(seen: ReleaseState, body: Body) -> None:
    """Commit the files of the edition to Git, with the user's message or the usual one.

    Raises `RefusedError` if files have changed, and `RulewrightError` if Git fails.
    """
    words = body.get("words")
    usual = f"{seen.edition.title or seen.edition.ruleset} {seen.edition.version}"
    with seen.studio.folder.lock():
        seen.refuse_changed(seen.files)
        git_history.commit(seen.studio.root, seen.names, words if isinstance(words, str) and words.strip() else usual)


def _manifest(seen: ReleaseState, change: Callable[[str], str], words: str) -> None:
    """Replace the text of the edition's manifest. Raises `RefusedError` if a file of the edition has changed."""
    folder = seen.studio.folder
    path = folder.find_name(seen.edition.path)
    with folder.lock():
        seen.refuse_changed(seen.files)
        content = folder.read(path)
        folder.save(path, change(content.text), content.version, words=words)


def _sound(seen: ReleaseState) -> Ruleset:
    if seen.ruleset is None:
        raise RefusedError(409, f"{seen.edition.id} has errors: fix them first")
    return seen.ruleset


def _texts(body: Body) -> list[str]:
    names = body.get("texts")
    if not isinstance(names, list) or not names or not all(isinstance(each, str) for each in names):
        raise RefusedError(400, "select the texts that you have reviewed")
    return names


def _progress(seen: ReleaseState) -> ReleaseProgress:
    return seen.studio.released


_DOES: Mapping[str, Callable[[ReleaseState, Body], str | None]] = {
    "check": lambda seen, body: None,
    "sign": _sign,
    "rewrite": _rewrite,
    "balance": _play,
    "version": _take_version,
    "lock": _release,
    "book": _build,
    "commit": _keep,
}
"""The action of each step. It returns a reference if the edition's name changes."""

_WRITE = frozenset({_sign, _rewrite, _take_version, _release, _keep})
"""The actions that write the user's decision about the shown state."""
