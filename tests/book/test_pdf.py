"""The whole book as a PDF, read back by another library."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, NameObject

from rulewright.book.parts.template_loader import render
from rulewright.book.print.pdf import draw_images, embed_styles, render_pdf
from rulewright.book.rulebook import render_site
from rulewright.book.style.assets import list_looks
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset
from tests.book.garden import steps, write_garden

SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" fill="#336699"/></svg>'
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    rules = write_garden(tmp_path_factory.mktemp("rules"), steps())
    (rules / "garden" / "icons").mkdir()
    (rules / "garden" / "icons" / "plant.svg").write_text(SQUARE, encoding="utf-8")
    return render_site(load_ruleset("garden/small", rules=[rules]))["whole.html"]


@pytest.fixture(scope="module")
def pdf_bytes(page: str) -> bytes:
    return render_pdf(page)


@pytest.fixture(scope="module")
def pdf(pdf_bytes: bytes) -> PdfReader:
    return PdfReader(BytesIO(pdf_bytes))


def text(pdf: PdfReader) -> str:
    return re.sub(r"\s+", " ", " ".join(words(page) for page in pdf.pages))


def words(page: PageObject) -> str:
    """Return the text of a page. pypdf reads two-byte characters as two where a font has an encoding of its own."""
    for font in page["/Resources"]["/Font"].values():
        font.get_object()[NameObject("/Encoding")] = NameObject("/Identity-H")
    return page.extract_text()


def titles(outline: list[object]) -> Iterator[str]:
    for entry in outline:
        if isinstance(entry, list):
            yield from titles(entry)
        else:
            yield re.sub(r"\s+", " ", entry["/Title"]).strip()  # type: ignore[index]


def test_it_is_tagged_and_says_what_it_is(pdf: PdfReader) -> None:
    root = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"].value is True
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"].value is True
    assert pdf.metadata is not None
    assert pdf.metadata.title == "A Small Garden, version 1.0.0: the whole rulebook"
    kinds = set(structure(root["/StructTreeRoot"]))
    assert {"/H1", "/H2", "/H3", "/P", "/Table", "/TR", "/TH", "/L", "/LI", "/Link"} <= kinds


def structure(node: DictionaryObject) -> Iterator[str]:
    """Yield the kind of every element of the structure, from the root on."""
    if "/S" in node:
        yield node["/S"]
    inside = node.get("/K", ArrayObject()).get_object()
    for child in inside if isinstance(inside, list) else [inside]:
        object_ = child.get_object()
        if isinstance(object_, DictionaryObject) and "/S" in object_:
            yield from structure(object_)


def test_its_bookmarks_are_the_chapters_and_sections() -> None:
    ruleset = load_ruleset("pig/classic@1.0")
    pdf = PdfReader(BytesIO(render_pdf(render_site(ruleset)["whole.html"])))
    outline_titles = list(titles(pdf.outline))
    numbers = [section.number for page in ruleset.pages.values() for section in page.sections]
    assert [title.split()[0] for title in outline_titles if title.split()[0] in numbers] == numbers
    assert "Glossary" in outline_titles
    assert 4 <= len(pdf.pages) <= 30


def test_it_has_the_rules_and_where_to_find_them(pdf: PdfReader) -> None:
    texts = text(pdf)
    assert "A ripe Plant brings 3 Seeds." in texts
    assert "G.1 Tending a Bed" in texts
    assert f"of {len(pdf.pages)}" in words(pdf.pages[-1])
    assert "A Small Garden · version 1.0.0" in words(pdf.pages[-1])


def test_it_carries_its_fonts(pdf: PdfReader) -> None:
    fonts = [font.get_object() for page in pdf.pages for font in page["/Resources"].get("/Font", {}).values()]
    assert fonts
    for font in fonts:
        inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(inner["/FontDescriptor"]), font["/BaseFont"]


def test_it_draws_the_icons(pdf: PdfReader) -> None:
    drawn = b"".join(page.get_contents().get_data() for page in pdf.pages)
    assert re.search(rb"\b0?\.2 0?\.4 0?\.6 (rg|scn?)\b", drawn), "the colour of the one drawing"


def test_its_links_lead_nowhere_else(pdf: PdfReader) -> None:
    links = [note.get_object() for page in pdf.pages for note in page.get("/Annots", [])]
    assert links
    assert not [link for link in links if "/URI" in link.get("/A", {})]


@pytest.fixture(scope="module")
def of_hex() -> dict[str, str]:
    return render_site(load_ruleset("classics/hex@1.0"))


@pytest.mark.parametrize("name", ["short.html", "whole.html"])
def test_no_picture_is_wider_than_its_column(of_hex: dict[str, str], name: str) -> None:
    from weasyprint import CSS, HTML

    laid_out = HTML(string=draw_images(embed_styles(of_hex[name]))).render(stylesheets=[CSS(string=render("pdf.css"))])
    boxes = [box for page in laid_out.pages for box in page._page_box.descendants() if box.element_tag == "figure"]
    pictures = [(box, inner) for box in boxes for inner in box.descendants() if inner.element_tag == "img"]
    assert pictures
    for box, picture in pictures:
        assert picture.width <= box.width + 0.5, picture.element.attrib["alt"]


def test_the_parts_of_a_result_stand_beside_their_bullets() -> None:
    from weasyprint import HTML

    style = list_looks()["whole.css"].decode()
    page = f"<style>{style}</style><div class='rw-result'>The sum of<ul><li>two</li></ul></div>"
    boxes = [box for each in HTML(string=page).render().pages for box in each._page_box.descendants()]
    (indent,) = {box.style["text_indent"].value for box in boxes if box.element_tag == "li"}
    assert indent == 0


def test_the_short_rules_have_their_chapters_at_the_head_and_apart_from_their_pages(of_hex: dict[str, str]) -> None:
    pages = [words(page) for page in PdfReader(BytesIO(render_pdf(of_hex["short.html"]))).pages]
    assert "The course of a game" not in "".join(pages[1:])
    assert re.search(r"Hex\s+\d", pages[0])
    assert not re.search(r"[a-z]\d+ (?=[A-Z] )", pages[0])


def test_a_pdf_is_set_in_the_letters_of_the_book(pdf: PdfReader) -> None:
    fonts = {str(font.get_object()["/BaseFont"]) for page in pdf.pages for font in page["/Resources"]["/Font"].values()}
    assert any("Rulewright" in each and "Serif" in each for each in fonts), fonts
    assert any("Rulewright" in each and "Sans" in each for each in fonts), fonts


def test_two_are_the_same(page: str, pdf_bytes: bytes) -> None:
    assert render_pdf(page) == pdf_bytes


def test_without_the_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    assert main(["book", "build", "--pdf", "--output", str(tmp_path / "site")]) == 1
    assert "pip install 'rulewright[pdf]'" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_without_what_the_library_draws_with_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "weasyprint.py").write_text("raise OSError('cannot load library pango')", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["book", "build", "--pdf", "--output", str(tmp_path / "site")]) == 1
    assert "apt-get install libpango" in capsys.readouterr().err
