"""Storing pictures, and recording which of them a version shows."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from questions.versions.material.pictures.models import Picture, PictureUse
from questions.versions.material.pictures.reads import picture_limits, place_of
from questions.versions.material.pictures.rules.encode import Encoded, check, encode
from questions.versions.material.pictures.rules.named import prompt_pictures, solution_pictures
from questions.versions.models.versions import QuestionVersion
from questions.versions.rules.draft import DraftQuestion


def add_picture(content: bytes) -> str:
    """Store an image file, and return the resulting picture's name. Raises BadPicture."""
    encoded = encode(content, picture_limits())
    keep([encoded])
    return encoded.name


def take_back(name: str, content: bytes) -> None:
    """Store a picture written by this or another site, byte for byte. Raises BadPicture."""
    check(name, content)
    keep([Encoded(name, content)])


def keep(pictures: Iterable[Encoded]) -> None:
    """Store them; existing ones don't change."""
    for each in {picture.name: picture for picture in pictures}.values():
        # The file first: a row without a file would be a broken image, a file without a row is harmless.
        if not is_whole(each.name, len(each.content)):
            default_storage.delete(place_of(each.name))
            default_storage.save(place_of(each.name), ContentFile(each.content))
        row = {"size": len(each.content), "added_at": timezone.now()}
        Picture.objects.get_or_create(name=each.name, defaults=row)


def is_whole(name: str, size: int) -> bool:
    """Whether its file is complete; it isn't if its writer was killed."""
    place = place_of(name)
    return default_storage.exists(place) and default_storage.size(place) == size


def note_uses(version: QuestionVersion, draft: DraftQuestion) -> None:
    """Record which pictures the version shows in its prompt and solution; ones not stored are skipped."""
    named = [(False, prompt_pictures(draft)), (True, solution_pictures(draft))]
    if not any(names for _, names in named):
        return
    rows = dict(Picture.objects.filter(name__in=named[0][1] | named[1][1]).values_list("name", "pk"))
    PictureUse.objects.bulk_create(
        PictureUse(version=version, picture_id=rows[name], in_solution=in_solution)
        for in_solution, names in named
        for name in sorted(names & rows.keys())
    )
