"""Which pictures are stored, and which ones everybody may see."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import Q

from questions.versions.material.pictures.models import Picture, PictureUse
from questions.versions.material.pictures.rules.encode import Limits
from questions.versions.models.drafts import Pool
from questions.versions.reads.public import public_questions, with_address


def picture_limits() -> Limits:
    """The operator's limits."""
    return Limits(settings.PICTURE_BYTES, settings.PICTURE_PIXELS, settings.PICTURE_SIDE)


def stored_among(names: Iterable[str]) -> set[str]:
    """The stored ones among these pictures; no query if the list is empty."""
    wanted = set(names)
    return set(Picture.objects.filter(name__in=wanted).values_list("name", flat=True)) if wanted else set()


def is_public(name: str) -> bool:
    """Whether a public page shows it to everybody: with its solution or, for a withdrawn question, the prompt."""
    uses = PictureUse.objects.filter(picture__name=name, version__pool=Pool.PUBLIC)
    asks = Q(in_solution=False, version__live_of__in=with_address().filter(retired_at=None))
    return uses.filter(asks | Q(version__live_of__in=public_questions())).exists()


def place_of(name: str) -> str:
    """Its path in storage: in folders of at most a few thousand files."""
    return f"{name[:2]}/{name}"


def content_of(name: str) -> bytes:
    """The stored bytes. Raises FileNotFoundError."""
    with default_storage.open(place_of(name)) as file:
        content: bytes = file.read()
    return content
