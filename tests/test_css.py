"""The page frame's stylesheets and scripts are light and keep the rules, and the style guide shows every class."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.http import Http404
from django.test import RequestFactory, override_settings

from courseiva.pages.views.styleguide import styleguide
from courseiva.templatetags import assets

ROOT = Path(__file__).parent.parent
STATIC, TEMPLATES = ROOT / "static", ROOT / "templates"
SHEETS = ["tokens.css", "base.css", "components.css"]
CSS_BUDGET = 12_000
HTMX_BUDGET = 18_000
LEAST_SIZE = 13
PIXELS_PER_REM = 16

# Classes of highlighted code, only some of which the style guide shows, and of pages that it doesn't repeat.
ELSEWHERE = {
    *["kn", "kd", "kc", "kr", "kt", "ow", "nt", "s", "s2", "sa", "sb", "sd", "se", "si", "sx", "codehilite"],
    *["c", "ch", "cm", "cp", "picture", "qr", "reading", "demo-note", "planned-note"],
}

# Classes that name a thing and need no rule of their own.
WITHOUT_RULE = {"figure", "hint", "is-part", "margin", "question"}


def css() -> str:
    """Return all three stylesheets without their comments."""
    return re.sub(r"/\*.*?\*/", "", "".join((STATIC / "css" / name).read_text() for name in SHEETS), flags=re.DOTALL)


def selectors() -> list[str]:
    return re.findall(r"([^{}]+)\{", css())


def test_stylesheets_stay_light() -> None:
    assert sum(len(gzip.compress((STATIC / "css" / name).read_bytes())) for name in SHEETS) <= CSS_BUDGET


def test_htmx_is_the_release_that_the_readme_names() -> None:
    content = (STATIC / "vendor" / "htmx.min.js").read_bytes()
    assert hashlib.sha256(content).hexdigest() in (STATIC / "vendor" / "README.md").read_text()
    assert len(gzip.compress(content)) <= HTMX_BUDGET


def test_the_theme_script_is_small_enough_to_block_rendering() -> None:
    assert len((STATIC / "js" / "theme.js").read_bytes()) < 300


def test_no_text_is_smaller_than_thirteen_pixels() -> None:
    sizes = re.findall(r"font-size:\s*([\d.]+)rem", css())
    sizes += re.findall(r"font:[^;]*?([\d.]+)rem/", css()) + re.findall(r"--t-[\w]+:\s*([\d.]+)rem", css())
    assert len(sizes) > 10
    assert min(float(size) for size in sizes) * PIXELS_PER_REM >= LEAST_SIZE
    assert not re.findall(r"font-size:\s*[\d.]+px", css())


def test_only_utilities_and_print_use_important() -> None:
    utilities = re.compile(r"\.visually-hidden|\[hidden\]|\.no-print")
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css()):
        assert "!important" not in body or utilities.search(selector), selector


@pytest.mark.parametrize("word", ["gradient", "box-shadow", "text-shadow", "border-left:", "@import", "url("])
def test_print_has_no_decoration(word: str) -> None:
    assert word not in css()


def test_colours_come_from_tokens() -> None:
    rest = css().split("@media (prefers-contrast: more)", 1)[1]
    assert not re.findall(r"#[0-9a-f]{3,8}\b|\brgba?\(|\bhsl", rest)
    # A dialog's backdrop and the white behind a QR code need fixed colours.
    assert len(re.findall(r"oklch\(", rest)) == 2


@override_settings(DEBUG=True)
def test_the_style_guide_shows_every_class(rf: RequestFactory) -> None:
    names = {name for selector in selectors() for name in re.findall(r"\.([a-z][\w-]*)", selector)}
    response = styleguide(rf.get("/styleguide/"))
    assert response.status_code == 200
    shown = {name for value in re.findall(r'class="([^"]*)"', response.content.decode()) for name in value.split()}
    assert names - shown - ELSEWHERE == set()


@override_settings(DEBUG=False)
def test_the_style_guide_is_a_404_without_debug(rf: RequestFactory) -> None:
    with pytest.raises(Http404):
        styleguide(rf.get("/styleguide/"))


def test_every_class_of_the_frame_has_a_rule() -> None:
    known = {name for selector in selectors() for name in re.findall(r"\.([a-z][\w-]*)", selector)}
    frame = ["components", "styleguide", "account", "mfa", "allauth"]
    files = [file for folder in frame for file in (TEMPLATES / folder).rglob("*.html")]
    files += [TEMPLATES / "base.html", TEMPLATES / "styleguide.html", *TEMPLATES.glob("[45]*.html")]
    for file in files:
        text = re.sub(r"\{[%{].*?[%}]\}", " ", file.read_text())
        used = {name for value in re.findall(r'class="([^"]*)"', text) for name in value.split()}
        assert used - known - WITHOUT_RULE == set(), file


@pytest.mark.parametrize("file", sorted(TEMPLATES.rglob("*.html")), ids=lambda file: str(file.relative_to(TEMPLATES)))
def test_no_template_has_inline_style_or_script(file: Path) -> None:
    text = re.sub(r"\{[%{#].*?[%}#]\}", "", file.read_text())
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=\"|javascript:", text)
    assert not re.search(r"<script(?![^>]*(?:\bsrc=|type=\"application/))", text)


def test_an_integrity_attribute_matches_its_file() -> None:
    path = finders.find("css/base.css")
    assert isinstance(path, str)
    tag = str(assets.stylesheet("css/base.css"))
    assert assets.integrity_of("css/base.css") in tag
    assert 'rel="stylesheet"' in tag
    assert assets.integrity_of("css/base.css").startswith("sha256-")
    assert assets.integrity_of("css/base.css") != assets.integrity_of("css/tokens.css")


def test_an_integrity_attribute_follows_a_change_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.js"
    monkeypatch.setattr(assets, "_served_path", lambda _name: file)
    file.write_text("1")
    before = assets.integrity_of("x.js")
    file.write_text("22")
    assert assets.integrity_of("x.js") != before


def test_an_unknown_static_file_is_refused() -> None:
    with pytest.raises(ValueError, match=r"nothing\.css"):
        assets.integrity_of("nothing.css")
