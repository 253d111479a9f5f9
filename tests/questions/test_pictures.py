"""Check that an image file is refused or stripped of all but its picture, and how texts show pictures."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import re
import struct
import zlib
from html.parser import HTMLParser

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image, PngImagePlugin

from courseiva.common.rich_text import clean, render, render_inline, render_marked, show_pictures, with_words_alone
from questions.desk.errors import NotPublishable
from questions.desk.publish import publish
from questions.lint.rules import lint
from questions.models import Change, Picture, PictureUse, SearchEntry
from questions.versions.material.pictures.reads import content_of, place_of
from questions.versions.material.pictures.rules.encode import (
    BadPicture,
    Limits,
    check,
    encode,
    has_hidden_bytes,
    size_of,
)
from questions.versions.material.pictures.rules.metadata import is_bare
from questions.versions.material.pictures.rules.named import may_show, names_in
from questions.versions.material.pictures.store import add_picture, take_back
from questions.versions.save import save_draft
from tests.support.bank import NOW, draft, make_exam
from tests.support.editing import EDITORS, JSON, MODERATORS, browser_of, person
from tests.support.hooks import parsed
from tests.support.pictures import SHOWN, illustrated, image, shown

NAME = "0123456789abcdef0123456789abcdef-640x360.png"
SECRET = b"51.5007 N 0.1246 W"


class Tags(HTMLParser):
    """Collect every tag in a text with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def images(html):
    return [attributes for tag, attributes in Tags(html).found if tag == "img"]


def with_secrets(kind: str) -> bytes:
    """Return an image whose metadata says where it was taken, with extra bytes after its end."""
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    more = {"exif": exif}
    if kind == "PNG":
        words = PngImagePlugin.PngInfo()
        words.add_text("Comment", SECRET.decode())
        more["pnginfo"] = words
    if kind == "JPEG":
        more["comment"] = SECRET
    return image(kind=kind, **more) + SECRET


def bomb(side: int) -> bytes:
    """Return a PNG of a few bytes that claims to have sides of this length."""
    head = b"IHDR" + struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(b"")
    parts = [struct.pack(">I", len(each) - 4) + each + struct.pack(">I", zlib.crc32(each)) for each in (head, data)]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def parts_of(png: bytes) -> dict[bytes, bytes]:
    """Return the parts of a PNG by their names, each of which must occur only once."""
    parts, at = {}, 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4])
        parts[png[at + 4 : at + 8]] = png[at + 8 : at + 8 + length]
        at += 12 + length
    return parts


def with_pixels(png: bytes, data: bytes) -> bytes:
    """Return the PNG with these compressed pixels in place of its own."""
    parts = [name + content for name, content in (parts_of(png) | {b"IDAT": data}).items()]
    whole = [struct.pack(">I", len(each) - 4) + each + struct.pack(">I", zlib.crc32(each)) for each in parts]
    return png[:8] + b"".join(whole)


def behind_the_stream(png: bytes) -> bytes:
    return with_pixels(png, parts_of(png)[b"IDAT"] + SECRET)


def behind_the_rows(png: bytes) -> bytes:
    rows = zlib.decompress(parts_of(png)[b"IDAT"])
    return with_pixels(png, zlib.compress(rows + SECRET, 0))


def behind_a_scan(jpeg: bytes) -> bytes:
    return jpeg[:-2] + SECRET + jpeg[-2:]


HIDING_PLACES = [behind_the_stream, behind_the_rows, behind_a_scan]


def code_of(content: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(BadPicture) as refused:
        encode(content, *([limits] if limits else []))
    return refused.value.code


class TestEncoding:
    @pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
    def test_an_accepted_picture_is_a_bare_png_or_jpeg_of_its_size(self, kind):
        made = encode(image(kind=kind, size=(60, 40)))
        with Image.open(io.BytesIO(made.content)) as opened:
            assert (opened.format, opened.size) == ("JPEG" if kind == "JPEG" else "PNG", (60, 40))
        assert size_of(made.name) == (60, 40)
        assert is_bare(made.content)
        check(made.name, made.content)

    @pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
    def test_metadata_and_trailing_bytes_are_removed(self, kind):
        sent = with_secrets(kind)
        assert SECRET in sent
        assert not is_bare(sent)
        assert SECRET not in encode(sent).content

    @pytest.mark.parametrize("kind", ["PNG", "JPEG"])
    def test_each_kind_of_metadata_is_detected(self, kind):
        bare = encode(image(kind=kind)).content
        exif = Image.Exif()
        exif[0x010E] = "x"
        assert is_bare(bare)
        assert not is_bare(bare + b"x")
        assert not is_bare(bare[:-1])
        assert not is_bare(image(kind=kind, exif=exif))
        assert not is_bare(image(kind=kind, icc_profile=b"x" * 200))

    @pytest.mark.parametrize("kind", ["PNG", "GIF", "WEBP"])
    def test_encoding_a_picture_again_changes_nothing(self, kind):
        once = encode(image(kind=kind))
        assert encode(once.content) == once

    @pytest.mark.parametrize("hide", HIDING_PLACES)
    def test_trailing_bytes_after_the_pixels_of_a_bare_picture_are_removed(self, hide):
        sent = hide(encode(image(kind="JPEG" if hide is behind_a_scan else "PNG")).content)
        assert (SECRET in sent, is_bare(sent), has_hidden_bytes(sent)) == (True, True, True)
        made = encode(sent).content
        assert SECRET not in made
        assert not has_hidden_bytes(made)

    @pytest.mark.parametrize("kind", ["PNG", "JPEG"])
    @pytest.mark.parametrize("size", [(1, 1), (17, 9), (640, 400)])
    @pytest.mark.parametrize("mode", ["L", "RGB"])
    def test_a_picture_we_have_encoded_hides_no_bytes(self, kind, size, mode):
        plain = io.BytesIO()
        Image.new(mode, size, 90 if mode == "L" else (90, 20, 20)).save(plain, kind)
        assert not has_hidden_bytes(encode(plain.getvalue()).content)
        assert not has_hidden_bytes(encode(image(kind=kind, size=size, mode=mode)).content)

    def test_a_rotated_photograph_is_turned_upright(self):
        exif = Image.Exif()
        exif[0x0112] = 6
        assert size_of(encode(image(kind="JPEG", size=(60, 40), exif=exif)).name) == (40, 60)

    @pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
    def test_every_png_mode_is_accepted_and_transparency_is_kept(self, mode):
        made = encode(image(mode=mode, comment="x") + b"x")
        with Image.open(io.BytesIO(made.content)) as opened:
            assert ("A" in opened.mode) == ("A" in mode)

    def test_a_cmyk_jpeg_is_accepted(self):
        with Image.open(io.BytesIO(encode(image(kind="JPEG", mode="CMYK")).content)) as opened:
            assert opened.mode == "RGB"

    def test_a_large_picture_is_scaled_to_the_longest_side(self):
        assert size_of(encode(image(size=(400, 100)), Limits(side=200)).name) == (200, 50)


class TestRefusals:
    def test_an_svg_is_recognised_and_refused_whatever_comes_before_it(self):
        for start in (b"", b"\n<?xml version='1.0'?>\n", b"<!-- x --><!DOCTYPE svg>"):
            assert code_of(start + b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>") == "svg"

    def test_a_file_over_the_size_limit_is_refused_before_it_is_read(self):
        assert code_of(b"x" * 101, Limits(bytes=100)) == "too-large"

    @pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
    def test_a_decompression_bomb_is_refused_by_its_header(self):
        for side in (6_000, 12_000, 30_000):  # the sizes exceed our limit, Pillow's warning and Pillow's refusal
            assert code_of(bomb(side)) == "too-many-pixels"

    def test_one_pixel_more_than_allowed_is_refused(self):
        assert code_of(image(size=(11, 10)), Limits(pixels=109)) == "too-many-pixels"
        encode(image(size=(11, 10)), Limits(pixels=110))

    def test_animated_pictures_are_refused(self):
        frames = [Image.new("L", (4, 4), n) for n in (1, 200)]
        out = io.BytesIO()
        frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
        assert code_of(out.getvalue()) == "animated"

    def test_files_of_other_kinds_are_refused(self):
        for content in (b"", b"GIF89a", b"%PDF-1.7", b"<html>", b"BM" + b"\0" * 60):
            assert code_of(content) in {"unreadable", "damaged"}

    @pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
    def test_a_truncated_file_is_refused_without_an_error(self, kind):
        whole = image(kind=kind, size=(90, 90))
        for end in range(0, len(whole) - 40, max(1, len(whole) // 40)):
            assert code_of(whole[:end]) in {"unreadable", "damaged"}, end


class TestStoredPictures:
    @pytest.mark.parametrize("kind", ["PNG", "JPEG"])
    def test_a_stored_picture_is_accepted_byte_for_byte_under_its_own_name_only(self, kind):
        made = encode(image(kind=kind))
        check(made.name, made.content)
        for name, content in (
            (made.name, made.content[:-1] + b"\0"),
            (made.name.replace("-60x", "-61x"), made.content),
            (f"{'0' * 32}{made.name[32:]}", made.content),
            (f"../{made.name}", made.content),
            (made.name.replace("png", "svg").replace("jpg", "svg"), made.content),
        ):
            with pytest.raises(BadPicture):
                check(name, content)

    def test_a_picture_with_the_right_hash_but_metadata_is_refused(self):
        sent = with_secrets("PNG")
        with pytest.raises(BadPicture):
            check(f"{hashlib.sha256(sent).hexdigest()[:32]}-60x40.png", sent)


class TestText:
    def test_a_picture_has_its_size_its_alt_text_and_our_own_address(self):
        [attributes] = images(show_pictures(render(shown(NAME))))
        assert attributes == {
            "class": "picture", "src": f"/pictures/{NAME}", "width": "640", "height": "360", "alt": SHOWN,
            "loading": "lazy", "decoding": "async",
        }  # fmt: skip

    @pytest.mark.parametrize(
        "text",
        [
            "![x](https://e.example/x.png)",
            "![x](//e.example/x.png)",
            f"![x](picture:{NAME.upper()})",
            f"![x](picture:../{NAME})",
            f"![x](picture:{NAME}?x)",
            "![x](picture:0123-640x360.png)",
            f"![x](/pictures/{NAME})",
            f'<img src="/pictures/{NAME}">',
            f'<span class="picture {NAME}">x</span>',
            f"`{shown(NAME)}`",
            f"```\n{shown(NAME)}\n```",
            f"\\{shown(NAME)}",
            f'&lt;span class="picture {NAME}"&gt;x&lt;/span&gt;',
        ],
    )
    def test_no_other_markdown_becomes_an_image(self, text):
        assert images(show_pictures(render(text))) == []

    def test_alt_text_cannot_escape_its_attribute(self):
        words = "x\" onerror=\"alert(1) <b> & 'y' *z*"
        [attributes] = images(show_pictures(render_inline(shown(NAME, words))))
        assert attributes["alt"] == words
        assert "onerror" not in attributes

    def test_the_sanitiser_lets_no_image_through(self):
        assert "<img" not in clean(f'<img src="/pictures/{NAME}" alt="x">')

    def test_alt_text_replaces_pictures_that_are_not_shown(self):
        assert re.sub(r"<[^>]*>", "", render(f"See {shown(NAME, SHOWN)}.")) == f"See {SHOWN}."

    def test_a_clue_phrase_in_the_alt_text_marks_nothing_in_the_tag(self):
        html = render_marked(f"Look. {shown(NAME, 'deciding words')}", ["deciding words"])
        [attributes] = images(html)
        assert attributes["alt"] == "deciding words"

    def test_picture_names_are_found_only_outside_code(self):
        assert names_in(f"a {shown(NAME)} `{shown(NAME.replace('0', '1'))}`") == [NAME]

    def test_a_picture_can_be_replaced_by_its_alt_text(self):
        assert with_words_alone(f"See {shown(NAME, SHOWN)}.") == f"See {SHOWN}."


class TestChecks:
    def found(self, text, **known):
        return {(each.rule, each.field) for each in lint(text) if each.rule in ("picture", "image-alt")}

    def test_a_picture_without_alt_text_is_refused(self):
        text = dataclasses.replace(draft(1), stem=f"Look: {shown(NAME, ' ')}")
        assert self.found(text) == {("image-alt", "stem")}

    def test_images_from_elsewhere_are_refused(self):
        for written in ("![x](https://e.example/x.png)", "![x][ref]", "![x](picture:1.png)", "![x]()"):
            assert self.found(dataclasses.replace(draft(1), stem=written)) == {("picture", "stem")}

    def test_a_picture_in_a_field_that_cannot_show_one_is_refused(self):
        text = dataclasses.replace(draft(1), title=shown(NAME), key_concepts=(shown(NAME),))
        options = tuple(dataclasses.replace(each, tempts=shown(NAME), why=shown(NAME)) for each in text.options[:1])
        found = self.found(dataclasses.replace(text, options=options))
        assert found == {("picture", "title"), ("picture", "key_concepts[0]"), ("picture", "options[0].tempts")}


@pytest.mark.django_db
class TestStoring:
    def test_a_picture_is_stored_once_whoever_uploads_it(self):
        first, second = add_picture(image()), add_picture(image())
        assert first == second
        assert Picture.objects.get().size == len(content_of(first))

    def test_a_file_cut_short_by_a_crash_is_written_again(self):
        name = add_picture(image())
        whole = content_of(name)
        default_storage.delete(place_of(name))
        default_storage.save(place_of(name), ContentFile(whole[:10]))
        take_back(name, whole)
        assert content_of(name) == whole

    def test_a_version_records_which_pictures_it_shows_where(self):
        exam = make_exam()
        prompt, solution = add_picture(image(1)), add_picture(image(2))
        version = publish(save_draft(exam, illustrated(1, prompt, solution), None), NOW, Change.FIRST)
        rows = PictureUse.objects.filter(version=version).values_list("picture__name", "in_solution")
        assert set(rows) == {(prompt, False), (solution, True)}
        assert f"/pictures/{prompt}" in version.stem_html
        assert f"/pictures/{solution}" in version.solution.html["explanation"]
        assert f"/pictures/{prompt}" in version.hint.html["stem"]

    def test_search_and_metadata_use_a_pictures_alt_text_and_never_its_address(self):
        exam = make_exam()
        name = add_picture(image(1))
        version = publish(save_draft(exam, illustrated(1, name), None), NOW, Change.FIRST)
        entry = SearchEntry.objects.get(version=version)
        assert SHOWN in entry.prompt
        assert name[:32] not in entry.prompt
        page = parsed(Client().get(version.question.get_absolute_url()))
        told = page.select_one('script[type="application/ld+json"]').text
        assert SHOWN in told
        assert name[:32] not in told

    def test_a_question_with_a_picture_that_is_not_there_cannot_be_published(self):
        question = save_draft(make_exam(), illustrated(1, NAME), None)
        with pytest.raises(NotPublishable) as refused:
            publish(question, NOW, Change.FIRST)
        assert [(each.rule, each.field) for each in refused.value.problems] == [("picture", "stem")]


@pytest.mark.django_db
class TestAdmin:
    ADD = "/admin/questions/picture/add/"

    @pytest.fixture
    def editor(self):
        return browser_of(person("alice", EDITORS))

    def sent(self, client, content, **more):
        return client.post(self.ADD, {"file": SimpleUploadedFile("x.png", content), **more.pop("data", {})}, **more)

    def test_the_page_stores_a_picture_and_returns_its_markdown(self, editor):
        page = parsed(self.sent(editor, image(), data={"words": "A [bar]"}))
        name = page.select_one("[data-state=added]")["data-name"]
        assert page.select_one("#line")["value"] == f"![A (bar)](picture:{name})"
        assert content_of(name)

    def test_people_must_give_alt_text_but_the_editors_script_need_not(self, editor):
        assert parsed(self.sent(editor, image())).select(".errorlist")
        assert Picture.objects.count() == 0
        assert self.sent(editor, image(), **JSON).json()["name"] == Picture.objects.get().name

    def test_a_refusal_is_shown_at_the_field_and_nothing_is_stored(self, editor, settings):
        settings.PICTURE_BYTES = 10_000
        for content in (b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"x", b"x" * 10_001):
            assert self.sent(editor, content, **JSON).json().keys() == {"error"}
            page = self.sent(editor, content, data={"words": "A bar"})
            assert (len(parsed(page).select(".errorlist")), parsed(page).select("[data-state=added]")) == (1, [])
        assert Picture.objects.count() == 0

    def test_only_those_who_may_change_questions_see_or_add_a_picture(self, editor):
        add_picture(image())
        moderator = browser_of(person("mona", MODERATORS))
        for page in (self.ADD, "/admin/questions/picture/"):
            assert (editor.get(page).status_code, moderator.get(page).status_code) == (200, 403)
        assert self.sent(moderator, image(2), **JSON).status_code == 403

    def test_the_statement_count_does_not_grow_with_the_pictures(self, editor, django_assert_max_num_queries):
        for colour in range(5):
            add_picture(image(colour))
        with django_assert_max_num_queries(7):
            page = parsed(editor.get("/admin/questions/picture/"))
        assert len(page.select("#result_list tbody tr")) == 5

    def test_the_editor_marks_fields_that_can_show_a_picture(self, editor):
        make_exam()
        page = parsed(editor.get("/admin/questions/question/add/"))
        marked = {re.sub(r"\d+", "0", each["name"]) for each in page.select("textarea[data-pictures]")}
        texts = {"stem", "quick_answer", "explanation", "principle", "trap", "detail", "takeaway", "example"}
        assert marked - {f"options-__prefix__-{part}" for part in ("text", "why")} == {
            *texts,
            "options-0-text",
            "options-0-why",
        }
        assert {name for name in marked if may_show(re.sub(r"-0-(\w+)", r"[0].\1", name))} >= {*texts, "options-0-why"}
