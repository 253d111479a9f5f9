"""Pictures beside bank files or in a backup that are damaged or lost are reported and not used."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command

from questions.bank_files.load import load_bank
from questions.models import Picture, PictureUse, Question
from questions.versions.material.pictures.copies import restore_pictures, save_pictures
from questions.versions.material.pictures.reads import content_of, place_of
from questions.versions.material.pictures.rules.encode import encode
from questions.versions.material.pictures.store import add_picture
from tests.questions.test_bank_loading import EXAM, file, question
from tests.support.bank import NOW
from tests.support.pictures import image, shown

pytestmark = pytest.mark.django_db
STEM = "Case 1 speaks of amber lamps. Which lamp is it?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of an exam without questions."""
    (tmp_path / "demo" / "questions").mkdir(parents=True)
    (tmp_path / "demo" / "exam.yaml").write_text(EXAM)
    return tmp_path / "demo"


def write(folder: Path, *questions: str) -> None:
    (folder / "questions" / "one.yaml").write_text(file(*questions))


def made(folder: Path) -> str:
    """Put a picture in the exam's folder, as its author would, and return its name."""
    source = folder / "drawing.png"
    source.write_bytes(image())
    out = StringIO()
    call_command("pictures", "make", str(source), into=folder, stdout=out)
    [picture] = (folder / "pictures").iterdir()
    assert f"(picture:{picture.name})" in out.getvalue()
    return picture.name


class TestBankFiles:
    def test_a_picture_beside_the_questions_is_loaded_with_them(self, folder):
        name = made(folder)
        write(folder, question(1, stem=f"'{STEM} {shown(name)}'"))
        report = load_bank(folder, NOW)
        assert report.refused == []
        assert content_of(name) == (folder / "pictures" / name).read_bytes()
        assert f"/pictures/{name}" in Question.objects.get().live_version.stem_html
        assert PictureUse.objects.get().picture.name == name
        assert load_bank(folder, NOW).counts == {"unchanged": 1}

    def test_a_question_with_a_missing_picture_is_refused_by_loading_and_lint(self, folder):
        name = encode(image(7)).name
        write(folder, question(1, stem=f"'{STEM} {shown(name)}'"))
        assert [name in line for line in load_bank(folder, NOW).refused] == [True]
        assert not Question.objects.exists()
        out = StringIO()
        with pytest.raises(CommandError):
            call_command("lint_bank", folder, stdout=out)
        assert f" picture [case-1] stem: the picture “{name}”" in out.getvalue()

    def test_a_picture_that_does_not_match_its_name_is_refused(self, folder):
        name = made(folder)
        (folder / "pictures" / name).write_bytes(image(8))
        write(folder, question(1, stem=f"'{STEM} {shown(name)}'"))
        refused = load_bank(folder, NOW).refused
        assert [name in line for line in refused] == [True, True]
        assert not Picture.objects.exists()

    def test_an_svg_is_not_accepted_as_a_picture(self, folder):
        (folder / "x.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
        with pytest.raises(CommandError):
            call_command("pictures", "make", str(folder / "x.svg"), into=folder)
        assert not (folder / "pictures").exists()


class TestCopies:
    @pytest.fixture
    def names(self):
        return [add_picture(image(n)) for n in (1, 2, 3)]

    def test_every_picture_survives_backup_loss_and_restore(self, names, tmp_path):
        before = {name: content_of(name) for name in names}
        assert save_pictures(tmp_path).new == 3
        assert save_pictures(tmp_path).new == 0
        for name in names:
            default_storage.delete(place_of(name))
        with pytest.raises(CommandError):
            call_command("pictures", "check", stdout=StringIO(), stderr=StringIO())
        found = restore_pictures(tmp_path)
        assert (found.good, found.faults) == (3, [])
        assert {name: content_of(name) for name in names} == before
        call_command("pictures", "check", stdout=StringIO())

    def test_a_damaged_copy_is_reported_and_not_used(self, names, tmp_path):
        save_pictures(tmp_path)
        whole = (tmp_path / names[0]).read_bytes()
        (tmp_path / names[0]).write_bytes(whole[:-1] + b"\0")
        (tmp_path / names[1]).unlink()
        for name in names:
            default_storage.delete(place_of(name))
        found = restore_pictures(tmp_path)
        assert (found.good, sorted(found.faults)) == (1, sorted([(names[0], "changed"), (names[1], "missing")]))

    def test_a_damaged_picture_on_the_site_is_reported_and_not_copied(self, names, tmp_path):
        default_storage.delete(place_of(names[0]))
        default_storage.save(place_of(names[0]), ContentFile(b"x"))
        found = save_pictures(tmp_path)
        assert (found.good, found.faults) == (2, [(names[0], "changed")])
        assert not (tmp_path / names[0]).exists()
