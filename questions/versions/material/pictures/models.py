"""The stored pictures, and which published versions show them where."""

from __future__ import annotations

from django.db import models

from questions.versions.models.versions import QuestionVersion


class Picture(models.Model):
    """A picture in the site's storage, named after its content. It never changes."""

    name = models.CharField(max_length=60, unique=True, help_text="hash-WIDTHxHEIGHT.png or .jpg")
    size = models.PositiveIntegerField("bytes")
    added_at = models.DateTimeField("added")

    class Meta:
        ordering = ["-id"]
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class PictureUse(models.Model):
    """A version shows a picture, in its prompt or in its solution; written when it is published."""

    version = models.ForeignKey(QuestionVersion, models.CASCADE, related_name="pictures")
    # PROTECT, although nothing deletes pictures: an old version is still shown to everyone who answered it.
    picture = models.ForeignKey(Picture, models.PROTECT, related_name="uses")
    # This decides in part who may see the picture: a reserved question's prompt is shown in a mock, its solution only
    # afterwards.
    in_solution = models.BooleanField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["version", "picture", "in_solution"], name="picture_use")]

    def __str__(self) -> str:
        return f"{self.picture_id} in {self.version_id}"
