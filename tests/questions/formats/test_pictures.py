"""Pictures move with questions: out of other systems' packages, into ours, and back."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import io
import struct
import tarfile
import zipfile
import zlib

import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command

from questions.formats.intake.reads.plan import NEW, UNCHANGED
from questions.formats.intake.reads.target import Target
from questions.formats.intake.take_in import import_items
from questions.formats.reads import live_items
from questions.formats.rules.detection import detect
from questions.formats.rules.items import Item, Skipped, digest
from questions.formats.rules.reading.pictures import NEEDS_MEDIA, NOT_IN_FILE
from questions.formats.rules.registry import BY_NAME, read_items
from questions.models import Picture, Question
from questions.versions.material.pictures.reads import content_of, place_of
from questions.versions.material.pictures.rules.encode import Limits, check, encode
from questions.versions.reads.drafts import draft_of
from tests.support.bank import NOW, make_exam
from tests.support.pictures import SHOWN, image, publish_illustrated

MINE = encode(image()).name
QTI = """<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="a" title="A" adaptive="false"
 timeDependent="false"><responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier">
<correctResponse><value>x</value></correctResponse></responseDeclaration><itemBody><p>Look.</p>{stem}<choiceInteraction
 responseIdentifier="RESPONSE" maxChoices="1"><simpleChoice identifier="x">One</simpleChoice>
<simpleChoice identifier="y">Two</simpleChoice></choiceInteraction></itemBody>{more}</assessmentItem>"""
MOODLE = """<quiz><question type="multichoice"><name><text>A</text></name><questiontext format="html"><text>
<![CDATA[<p>Look.</p><img src="@@PLUGINFILE@@/a%20b.png" alt="A bar">]]></text>
<file name="a b.png" path="/" encoding="base64">{data}</file></questiontext><single>true</single>
<answer fraction="100" format="html"><text>One</text></answer>
<answer fraction="0" format="html"><text>Two</text></answer>
</question></quiz>"""


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def read(content: bytes, name: str = "x.zip"):
    stream = io.BytesIO(content)
    return list(read_items(detect(stream, name), stream))


def package(stem: str, more: str = "", **files: bytes):
    """Return a package with an item in a folder of its own, and other files."""
    named = {name.replace("__", "/").replace("_dot_", "."): content for name, content in files.items()}
    return read(zipped({"items/a.xml": QTI.format(stem=stem, more=more).encode(), **named}))


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("../images/x.png", "images__x_dot_png"),
        ("x.png", "items__x_dot_png"),
        ("images/x.png", "images__x_dot_png"),
        ("$IMS-CC-FILEBASE$/x.png?canvas_download=1", "web_resources__x_dot_png"),
        ("/static/x.png", "static__x_dot_png"),
    ],
)
def test_an_image_in_a_package_is_read_from_the_path_in_its_text(address, file):
    [item] = package(f'<img src="{address}" alt="A bar"/>', **{file: image()})
    assert item.stem == f"Look.\n\n![A bar](picture:{MINE})"
    assert [each.name for each in item.pictures] == [MINE]


def test_the_same_file_name_in_two_folders_gives_two_pictures():
    [item] = package('<img src="x.png" alt="A"/>', items__x_dot_png=image(), x_dot_png=image(2))
    assert [each.name for each in item.pictures] == [MINE]


def test_objects_and_inline_images_are_imported():
    data = base64.b64encode(image()).decode()
    for shown in (
        '<object data="x.png" type="image/png">A bar</object>',
        f'<img alt="A bar" src="data:image/png;base64,{data}"/>',
    ):
        [item] = package(shown, items__x_dot_png=image())
        assert f"![A bar](picture:{MINE})" in item.stem


@pytest.mark.parametrize(
    ("stem", "reason"),
    [
        ('<img src="https://e.example/x.png" alt="A"/>', NEEDS_MEDIA),
        ('<img src="//e.example/x.png" alt="A"/>', NEEDS_MEDIA),
        ('<img src="../../etc/passwd" alt="A"/>', NOT_IN_FILE),
        ('<img src="missing.png" alt="A"/>', NOT_IN_FILE),
        ('<img src="file:///etc/passwd" alt="A"/>', NEEDS_MEDIA),
        ('<object data="x.mp4" type="video/mp4">A</object>', NEEDS_MEDIA),
        ('<img alt="A"/>', NEEDS_MEDIA),
    ],
)
def test_an_image_not_in_the_package_is_not_fetched(stem, reason):
    assert [each.reason.rpartition(": ")[2] for each in package(stem)] == [reason]


def test_a_refused_image_skips_the_item_whose_stem_shows_it_but_only_warns_in_feedback():
    [skipped] = package('<img src="x.svg" alt="A"/>', items__x_dot_svg=b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    assert isinstance(skipped, Skipped)
    told = '<modalFeedback identifier="all" showHide="show">See <img src="x.svg" alt="a bar"/></modalFeedback>'
    [item] = package("", told, items__x_dot_svg=b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    assert (item.explanation, len(item.warnings), item.pictures) == ("See a bar", 1, ())


def test_an_image_without_alt_text_is_accepted_with_a_warning():
    [item] = package('<img src="x.png"/>', items__x_dot_png=image())
    assert f"![](picture:{MINE})" in item.stem
    assert len(item.warnings) == 1


def test_moodles_files_are_read_from_inside_the_question():
    [item] = read(MOODLE.format(data=base64.b64encode(image()).decode()).encode(), "x.xml")
    assert item.stem == f"Look.\n\n![A bar](picture:{MINE})"
    assert [each.name for each in item.pictures] == [MINE]


def test_images_are_read_from_a_course_in_a_tar_archive():
    problem = b"""<problem display_name="A"><multiplechoiceresponse><p>Look.</p><img src="/static/x.png" alt="A bar"/>
        <choicegroup><choice correct="true">One</choice><choice correct="false">Two</choice></choicegroup>
        </multiplechoiceresponse></problem>"""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in (("course/problem/a.xml", problem), ("course/static/x.png", image())):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    [item] = read(out.getvalue(), "x.tar.gz")
    assert f"![A bar](picture:{MINE})" in item.stem


def test_pictures_do_not_change_the_digest_of_an_item():
    """The names in a text say which pictures it shows; items imported before pictures existed keep their digest."""
    item = Item(1, "a", "single", "Stem", ())
    was = "09b50c9e71be9b0a380fe7d686d3bde438b7efaf1478bdd93627167790938ddd"
    assert digest(item) == was
    assert digest(dataclasses.replace(item, files=(("a", b"x"),), pictures=(encode(image()),))) == was


HIDDEN = b"hidden behind the last pixel"
OPTIONS = '[{"text": "a", "right": true}, {"text": "b"}]'
OURS = f'{{"questions": [{{"stem": "![A bar](picture:NAME)", "options": {OPTIONS}}}]}}'


def with_hidden_bytes(kind: str) -> tuple[str, bytes]:
    """Return a bare picture with extra bytes after its pixels, and the name derived from its content."""
    bare = encode(image(kind=kind))
    part = b"IDAT" + HIDDEN
    png = struct.pack(">I", len(HIDDEN)) + part + struct.pack(">I", zlib.crc32(part))
    end, more = (-12, png) if kind == "PNG" else (-2, HIDDEN)
    content = bare.content[:end] + more + bare.content[end:]
    name = f"{hashlib.sha256(content).hexdigest()[:32]}{bare.name[32:]}"
    check(name, content)
    return name, content


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_picture_named_like_ours_loses_its_hidden_bytes(kind):
    name, content = with_hidden_bytes(kind)
    [item] = package(f'<img src="../pictures/{name}" alt="A bar"/>', **{f"pictures/{name}": content})
    assert [HIDDEN in each.content for each in item.pictures] == [False]
    [skipped] = read(zipped({"questions.json": OURS.replace("NAME", name).encode(), f"pictures/{name}": content}))
    assert isinstance(skipped, Skipped)


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_picture_of_ours_in_a_package_keeps_its_bytes(kind):
    ours = encode(image(kind=kind))
    [item] = package(f'<img src="../pictures/{ours.name}" alt="A bar"/>', **{f"pictures/{ours.name}": ours.content})
    assert item.pictures == (ours,)


@pytest.mark.django_db
class TestRoundTrips:
    @pytest.fixture
    def live(self):
        """Return a published question with a picture in its prompt and one in its solution."""
        exam = make_exam(weights=(100,))
        return exam, *publish_illustrated(exam, 1)

    @pytest.mark.parametrize("name", ["yaml", "json", "qti-2.1", "qti-3.0", "moodle-xml"])
    def test_an_export_contains_its_pictures_and_an_import_restores_them(self, live, name):
        _, _, prompt, solution = live
        written = BY_NAME[name].write(list(live_items("pmle")))
        [item] = read(written, "x")
        assert {each.name for each in item.pictures} == {prompt, solution}
        for each in item.pictures:
            check(each.name, each.content)
        assert f"![{SHOWN}](picture:{prompt})" in item.stem
        assert f"![{SHOWN}](picture:{solution})" in item.explanation
        other = make_exam("other", weights=(100,))
        Picture.objects.filter(uses=None).delete()
        for picture in (prompt, solution):
            default_storage.delete(place_of(picture))
        [outcome] = import_items(Target.of("other", "x"), [item], NOW)
        assert outcome.result == NEW
        assert content_of(prompt)
        assert content_of(solution)
        assert f"picture:{prompt}" in Question.objects.get(exam=other).stem

    @pytest.mark.parametrize("limits", [Limits(pixels=100), Limits(bytes=100)])
    def test_a_picture_named_like_ours_must_keep_to_the_sites_limits(self, live, limits):
        stream = io.BytesIO(BY_NAME["yaml"].write(list(live_items("pmle"))))
        [skipped] = read_items(detect(stream, "x"), stream, limits)
        assert isinstance(skipped, Skipped)

    @pytest.mark.parametrize("name", ["yaml", "json"])
    def test_importing_our_own_export_changes_nothing(self, live, name):
        [item] = read(BY_NAME[name].write(list(live_items("pmle"))), "x")
        [outcome] = import_items(Target.of("pmle", "x"), [item], NOW)
        assert outcome.result == UNCHANGED
        assert item.draft == draft_of(Question.objects.get())

    def test_a_package_with_a_changed_picture_is_skipped(self, live):
        written = zipfile.ZipFile(io.BytesIO(BY_NAME["yaml"].write(list(live_items("pmle")))))
        files = {each: written.read(each) for each in written.namelist()}
        changed = {each: content + b"x" if each.endswith(".png") else content for each, content in files.items()}
        assert [type(each) for each in read(zipped(files))] == [Item]
        assert [type(each) for each in read(zipped(changed))] == [Skipped]

    @pytest.mark.parametrize("name", ["gift", "csv", "anki"])
    def test_a_format_without_pictures_keeps_their_alt_text_and_says_so(self, live, name, tmp_path, capsys):
        call_command("export_questions", exam="pmle", format=name, out=tmp_path / "x")
        written = (tmp_path / "x").read_text()
        assert SHOWN in written
        assert "picture:" not in written
        assert "/pictures/" not in written
        assert " 2 " in capsys.readouterr().err

    def test_the_import_command_stores_the_pictures(self, live, tmp_path):
        _, _, prompt, _ = live
        (tmp_path / "x.zip").write_bytes(BY_NAME["qti-2.1"].write(list(live_items("pmle"))))
        make_exam("other", weights=(100,))
        default_storage.delete(place_of(prompt))
        call_command("import_questions", tmp_path / "x.zip", exam="other", commit=True, verbosity=0)
        assert content_of(prompt)
