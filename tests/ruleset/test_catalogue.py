"""What is found on the search path, which of it is meant by a reference, and what stands in nobody's way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulewright.base.resources import find_resource
from rulewright.ruleset.editions.catalogue import Catalogue, Edition, read_layer, search_path
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.collector import DiagnosticError


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test stands in an empty folder, with nothing in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEWRIGHT_RULES", raising=False)


def edition(folder: str, ruleset: str, version: str = "1.0.0", **keys: str) -> Path:
    """Write an edition and return its folder."""
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    keys = {"ruleset": ruleset, "version": version, "title": "A game", "status": "released", **keys}
    (path / "ruleset.yaml").write_text("".join(f"{key}: {value}\n" for key, value in keys.items() if value))
    return path


def find_id(reference: str, *paths: str) -> str:
    return Catalogue(map(Path, paths or ("rules",))).find(parse_reference(reference)).id


def refused(reference: str, *paths: str) -> DiagnosticError:
    with pytest.raises(DiagnosticError) as caught:
        find_id(reference, *paths)
    return caught.value


class TestSearchPath:
    def test_options_come_first_then_the_environment_then_here_then_what_is_shipped(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("a", "b", "c", "d", "rules"):
            Path(name).mkdir()
        monkeypatch.setenv("RULEWRIGHT_RULES", os.pathsep.join(["c", "", "d"]))
        assert search_path([Path("a"), Path("b")]) == [
            *map(Path, ("a", "b", "c", "d", "rules")),
            find_resource("rules"),
        ]

    def test_a_folder_named_twice_counts_once(self) -> None:
        Path("rules").mkdir()
        assert search_path([Path("rules"), Path("rules/../rules"), find_resource("rules")]) == [
            Path("rules"),
            find_resource("rules"),
        ]

    def test_without_rules_here_there_are_those_shipped(self) -> None:
        assert search_path() == [find_resource("rules")]

    def test_a_named_folder_that_is_missing_is_an_error(self) -> None:
        Path("house").mkdir()
        with pytest.raises(DiagnosticError) as caught:
            search_path([Path("hous")])
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code.id == "folder-missing"
        assert diagnostic.suggestion == "did you mean `house`?"

    def test_a_file_is_no_folder(self) -> None:
        Path("house.yaml").write_text("a: 1\n")
        with pytest.raises(DiagnosticError, match=r"`house\.yaml` is neither a folder nor a zip"):
            search_path([Path("house.yaml")])

    def test_the_environment_is_named_where_it_is_to_blame(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RULEWRIGHT_RULES", "gone")
        with pytest.raises(DiagnosticError, match=r"`gone`, which \$RULEWRIGHT_RULES names, does not exist"):
            search_path()

    @pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
    def test_an_impossible_name_is_an_ordinary_error(self, name: str) -> None:
        with pytest.raises(DiagnosticError):
            search_path([Path(name)])


class TestFinding:
    def test_editions_come_by_game_name_and_version(self) -> None:
        edition("rules/b/x-10", "b/x", "0.10.0")
        edition("rules/b/x-9", "b/x", "0.9.0")
        edition("rules/a/y", "a/y")
        assert [e.id for e in Catalogue([Path("rules")]).list_editions()] == ["a/y@1.0.0", "b/x@0.9.0", "b/x@0.10.0"]

    def test_what_the_manifest_says_is_there(self) -> None:
        edition("rules/pig/house", "pig/house", extends="pig/classic@1", status="")
        (only,) = Catalogue([Path("rules")]).list_editions()
        assert (only.game, only.edition, str(only.version), only.title) == ("pig", "house", "1.0.0", "A game")
        assert (only.status, str(only.extends)) == ("draft", "pig/classic@1")
        assert (only.folder, only.path) == (Path("rules/pig/house"), Path("rules/pig/house/ruleset.yaml"))
        assert repr(only) == "<Edition pig/house@1.0.0 in rules/pig/house>"

    def test_a_path_may_be_an_edition_itself(self) -> None:
        edition("house", "pig/house")
        assert find_id("pig/house", "house") == "pig/house@1.0.0"

    def test_it_looks_three_folders_deep_and_no_deeper(self) -> None:
        edition("rules/1/2/3", "a/three")
        edition("rules/1/2/3/4", "a/four")
        edition("rules/.hidden", "a/hidden")
        assert [e.id for e in Catalogue([Path("rules")]).list_editions()] == ["a/three@1.0.0"]

    @pytest.mark.parametrize(
        ("reference", "expected"),
        [
            ("a/x", "2.0.0"),
            ("a/x@latest", "2.0.0"),
            ("a/x@1", "1.2.0"),
            ("a/x@1.0", "1.0.3"),
            ("a/x@^1.0", "1.2.0"),
            ("a/x@~1.0", "1.0.3"),
            ("a/x@1.0.0", "1.0.0"),
            ("a/x@3", "3.0.0"),
            ("a/x@2.0.0-rc.1", "2.0.0-rc.1"),
        ],
    )
    def test_the_newest_that_will_do_is_meant(self, reference: str, expected: str) -> None:
        for version in ("1.0.0", "1.0.3", "1.2.0", "2.0.0-rc.1", "2.0.0"):
            edition(f"rules/x-{version}", "a/x", version)
        edition("rules/x-1.3.0", "a/x", "1.3.0", status="draft")
        edition("rules/x-3.0.0", "a/x", "3.0.0", status="draft")
        assert find_id(reference) == f"a/x@{expected}"

    def test_with_nothing_but_drafts_the_newest_draft_is_meant(self) -> None:
        edition("rules/1", "a/x", "0.1.0", status="draft")
        edition("rules/2", "a/x", "0.2.0", status="draft")
        assert find_id("a/x") == "a/x@0.2.0"

    def test_an_abstract_edition_is_no_draft(self) -> None:
        edition("rules/1", "a/core", "1.0.0", status="abstract")
        edition("rules/2", "a/core", "2.0.0", status="draft")
        assert find_id("a/core") == "a/core@1.0.0"

    def test_an_unknown_ruleset_names_the_nearest(self) -> None:
        edition("rules/pig", "pig/classic")
        edition("rules/far", "quite-another/game")
        assert "did you mean `pig/classic`?" in str(refused("pig/clasic"))

    @pytest.mark.parametrize(
        ("reference", "hint"),
        [("pig/completely-else", "`pig/classic`"), ("otherwise/classic", "`dog/classic` or `pig/classic`")],
    )
    def test_a_known_game_or_edition_leads_further(self, reference: str, hint: str) -> None:
        edition("rules/pig", "pig/classic")
        edition("rules/dog", "dog/classic")
        assert refused(reference).diagnostics[0].suggestion == f"did you mean {hint}?"

    def test_an_unknown_ruleset_like_no_other_lists_them(self) -> None:
        edition("rules/pig", "pig/classic")
        (diagnostic,) = refused("zebra/zzzzzz").diagnostics
        assert (diagnostic.code.id, diagnostic.suggestion) == ("unknown-ruleset", "there is `pig/classic`")

    def test_where_there_is_nothing_it_says_where_it_looked(self) -> None:
        Path("rules").mkdir()
        assert refused("pig/classic").diagnostics[0].suggestion == "no rulesets were found in `rules`"

    def test_an_unknown_version_names_those_there_are(self) -> None:
        edition("rules/1", "pig/classic", "1.0.0")
        edition("rules/2", "pig/classic", "1.1.0")
        (diagnostic,) = refused("pig/classic@2").diagnostics
        assert (diagnostic.code.id, diagnostic.suggestion) == ("unknown-version", "there is `1.0.0`, `1.1.0`")
        assert diagnostic.message == "there is no version `2` of `pig/classic`"


class TestTheSameTwice:
    def test_the_earlier_place_on_the_path_wins(self) -> None:
        edition("house/pig", "pig/classic", title="Ours")
        edition("rules/pig", "pig/classic", title="Theirs")
        catalogue = Catalogue([Path("house"), Path("rules")])
        assert [(e.title, e.folder) for e in catalogue.list_editions()] == [("Ours", Path("house/pig"))]
        assert catalogue.list_broken() == ()

    def test_within_one_place_it_is_an_error_with_both_places(self) -> None:
        edition("rules/a", "pig/classic")
        edition("rules/b", "pig/classic")
        (diagnostic,) = refused("pig/classic").diagnostics
        assert diagnostic.code.id == "same-edition-twice"
        assert [diagnostic.span.file, diagnostic.related[0].span.file] == [
            "rules/b/ruleset.yaml",
            "rules/a/ruleset.yaml",
        ]

    def test_a_folder_reached_by_two_paths_is_one(self) -> None:
        edition("rules/pig", "pig/classic")
        catalogue = Catalogue([Path("rules/pig"), Path("rules")])
        assert len(catalogue.list_editions()) == 1
        assert catalogue.list_broken() == ()

    @pytest.mark.skipif(os.name == "nt", reason="links need rights there")
    def test_links_in_a_circle_end(self) -> None:
        edition("rules/pig", "pig/classic")
        Path("rules/pig/again").symlink_to(Path("rules").resolve(), target_is_directory=True)
        catalogue = Catalogue([Path("rules")])
        assert len(catalogue.list_editions()) == 1
        assert catalogue.list_broken() == ()
        assert [path.name for path, _ in read_layer(catalogue.list_editions()[0])] == []


class TestBroken:
    def test_it_stands_in_nobody_elses_way(self) -> None:
        edition("rules/dog", "dog/classic", "one")
        edition("rules/pig", "pig/classic")
        catalogue = Catalogue([Path("rules")])
        assert catalogue.find(parse_reference("pig/classic")).id == "pig/classic@1.0.0"
        (broken,) = catalogue.list_broken()
        assert (broken.folder, broken.ruleset, broken.version) == (Path("rules/dog"), "dog/classic", None)
        assert [d.code.id for d in broken.diagnostics] == ["bad-version"]

    def test_who_asks_for_it_is_told(self) -> None:
        edition("rules/dog", "dog/classic", "one")
        assert [d.code.id for d in refused("dog/classic").diagnostics] == ["bad-version"]

    @pytest.mark.parametrize("key", ["extends", "follows"])
    def test_an_edition_with_a_reference_that_is_too_long_is_broken(self, key: str) -> None:
        edition("rules/dog", "dog/classic", **{key: f"dog/{'x' * 300}"})
        (broken,) = Catalogue([Path("rules")]).list_broken()
        assert [each.code.id for each in broken.diagnostics] == ["bad-reference"]

    def test_a_sound_version_is_not_taken_in_silence_where_the_broken_one_may_be_meant(self) -> None:
        edition("rules/1", "dog/classic", "1.0.0")
        edition("rules/2", "dog/classic", "1.1.0", rounding="sideways")
        assert [d.code.id for d in refused("dog/classic@1").diagnostics] == ["bad-value"]
        assert find_id("dog/classic@1.0") == "dog/classic@1.0.0"

    def test_one_whose_version_cannot_be_read_is_not_the_exact_one_that_is_there(self) -> None:
        edition("rules/1", "dog/classic", "1.0.0")
        edition("rules/2", "dog/classic", "one")
        assert find_id("dog/classic@1.0.0") == "dog/classic@1.0.0"
        assert [d.code.id for d in refused("dog/classic").diagnostics] == ["bad-version"]

    def test_one_hidden_by_an_earlier_place_is_in_nobodys_way(self) -> None:
        edition("house/dog", "dog/classic")
        edition("rules/dog", "dog/classic", rounding="sideways")
        assert find_id("dog/classic", "house", "rules") == "dog/classic@1.0.0"

    def test_one_that_cannot_be_read_at_all_is_pointed_at_when_something_is_missing(self) -> None:
        edition("rules/pig", "pig/classic")
        Path("rules/dog").mkdir()
        Path("rules/dog/ruleset.yaml").write_text("title: 'A dog\nruleset = dog/classic\n")
        (diagnostic,) = refused("dog/classic").diagnostics
        assert diagnostic.code.id == "unknown-ruleset"
        assert [r.span.file for r in diagnostic.related] == ["rules/dog/ruleset.yaml"]

    def test_a_manifest_under_another_name_is_pointed_out(self) -> None:
        edition("rules/pig", "pig/classic")
        Path("rules/pig/ruleset.yaml").rename("rules/pig/ruleset.yml")
        (broken,) = Catalogue([Path("rules")]).list_broken()
        assert [(d.code.id, d.span.file) for d in broken.diagnostics] == [("manifest-name", "rules/pig/ruleset.yml")]

    def test_a_folder_that_cannot_be_read_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        edition("rules/pig", "pig/classic")
        Path("rules/dog").mkdir()
        scandir = os.scandir

        def refuse(path: os.PathLike[str]) -> object:
            if Path(path) == Path("rules/dog"):  # root may read everything, so a mode would prove nothing
                raise PermissionError(13, "Permission denied")
            return scandir(path)

        monkeypatch.setattr(os, "scandir", refuse)
        catalogue = Catalogue([Path("rules")])
        assert [e.id for e in catalogue.list_editions()] == ["pig/classic@1.0.0"]
        assert [d.code.id for b in catalogue.list_broken() for d in b.diagnostics] == ["folder-unreadable"]


class TestChain:
    def chain(self, reference: str) -> list[str]:
        catalogue = Catalogue([Path("rules")])
        return [e.id for e in catalogue.chain(catalogue.find(parse_reference(reference)))]

    def test_the_lowest_layer_comes_first(self) -> None:
        edition("rules/core", "a/core", status="abstract")
        edition("rules/normal", "a/normal", extends="a/core@1")
        edition("rules/house", "a/house", extends="a/normal")
        assert self.chain("a/house") == ["a/core@1.0.0", "a/normal@1.0.0", "a/house@1.0.0"]

    def test_a_layer_that_is_missing_is_shown_where_it_is_asked_for(self) -> None:
        edition("rules/house", "a/house", extends="a/normal@2")
        edition("rules/normal", "a/normal")
        with pytest.raises(DiagnosticError) as caught:
            self.chain("a/house")
        (diagnostic,) = caught.value.diagnostics
        assert (diagnostic.code.id, str(diagnostic.span)) == ("unknown-version", "rules/house/ruleset.yaml:5:10")

    def test_a_circle_is_an_error_that_shows_each_link(self) -> None:
        edition("rules/a", "x/a", extends="x/b")
        edition("rules/b", "x/b", extends="x/a@1")
        edition("rules/c", "x/c", extends="x/a")
        with pytest.raises(DiagnosticError) as caught:
            self.chain("x/c")
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.message == "`x/a@1.0.0` extends itself, by way of `x/b@1.0.0`"
        places = [str(span) for span in (diagnostic.span, *(r.span for r in diagnostic.related))]
        assert places == ["rules/a/ruleset.yaml:5:10", "rules/b/ruleset.yaml:5:10"]

    def test_an_edition_cannot_extend_an_older_self_it_outdoes(self) -> None:
        edition("rules/a", "x/a", extends="x/a@1")
        with pytest.raises(DiagnosticError, match=r"`x/a@1\.0\.0` extends itself\n"):
            self.chain("x/a")


class TestLayer:
    @pytest.fixture
    def pig(self) -> Edition:
        edition("rules/pig", "pig/classic")
        (pig,) = Catalogue([Path("rules")]).list_editions()
        return pig

    def write(self, **files: str) -> None:
        for name, text in files.items():
            path = Path("rules/pig", name.replace("__", "/") + ".yaml")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def names(self, pig: Edition) -> list[str]:
        return [path.relative_to(pig.folder).as_posix() for path, _ in read_layer(pig)]

    def test_every_file_but_the_manifest_comes_in_the_order_of_paths(self, pig: Edition) -> None:
        self.write(z="terms: {}\n", book__b="pages: {}\n", book__a="pages: {}\n", a="numbers: {}\n")
        Path("rules/pig/notes.md").write_text("# no rules\n")
        Path("rules/pig/.draft.yaml").write_text("] broken\n")
        Path("rules/pig/more.yml").write_text("state: {}\n")
        assert self.names(pig) == ["a.yaml", "book/a.yaml", "book/b.yaml", "more.yml", "z.yaml"]

    def test_an_edition_inside_is_left_out(self, pig: Edition) -> None:
        self.write(a="terms: {}\n")
        edition("rules/pig/house", "pig/house")
        self.write(house__b="terms: {}\n", house__book__c="terms: {}\n")
        assert self.names(pig) == ["a.yaml"]

    def test_everything_wrong_in_any_file_is_told_at_once(self, pig: Edition) -> None:
        self.write(a="tems: {}\n", b="terms: [\n", c="numbers: {x: 0.5}\n", d="")
        with pytest.raises(DiagnosticError) as caught:
            read_layer(pig)
        assert [(Path(d.span.file).name, d.code.id) for d in caught.value.diagnostics] == [
            ("a.yaml", "unknown-key"),
            ("b.yaml", "unclosed-bracket"),
            ("c.yaml", "wrong-shape"),
            ("d.yaml", "empty-rules-file"),
        ]

    def test_rules_alone_must_be_whole_and_others_need_not(self, pig: Edition) -> None:
        self.write(a="options: {pace: {title: Pace, choices: {slow: Slow}}}\n")
        with pytest.raises(DiagnosticError, match="`pace` has no `default`"):
            read_layer(pig)
        for keys in ({"status": "abstract"}, {"extends": "pig/other"}):
            edition("rules/pig", "pig/classic", **keys)
            (partial,) = Catalogue([Path("rules")]).list_editions()
            assert self.names(partial) == ["a.yaml"]


def test_everything_shipped_is_sound() -> None:
    catalogue = Catalogue([find_resource("rules")])
    assert catalogue.list_broken() == ()
    assert {e.game for e in catalogue.list_editions()} >= {"fuzzy-knights", "pig"}
    for one in catalogue.list_editions():
        assert catalogue.chain(one)[-1] is one
        assert read_layer(one)
