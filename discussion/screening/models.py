"""The editors' list: leak phrases, dump sites, and sites that new authors may link to."""

from __future__ import annotations

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from discussion.screening.rules.parts import DUMP_SITE, LEAK, LINK, Listed
from questions.catalogue.models import Exam

HAS_WORD = RegexValidator(r"[^\W_]", "Enter at least one letter or number.", "no-word")


class ListQuerySet(models.QuerySet["ListEntry"]):
    def for_exam(self, exam: Exam | None) -> ListQuerySet:
        """Entries for all exams and for this one."""
        return self.filter(Q(exam=None) | Q(exam=exam))

    def as_listed(self) -> tuple[Listed, ...]:
        """The entries in the rules' form, oldest first."""
        return tuple(Listed(kind, text) for kind, text in self.order_by("pk").values_list("kind", "text"))


class ListEntry(models.Model):
    """An entry, for one exam or all."""

    class Kind(models.TextChoices):
        LEAK_PHRASE = LEAK, "leak phrase"
        DUMP_NAME = DUMP_SITE, "name of a dump site"
        WELCOME_SITE = LINK, "site that new authors may link to"

    kind = models.CharField(max_length=20, choices=Kind)
    text = models.CharField(
        max_length=100,
        validators=[HAS_WORD],
        help_text="Capitals and spacing don’t matter. An asterisk stands for the rest of a word. For a site, enter "
        "its host name; subdomains are included.",
    )
    exam = models.ForeignKey(Exam, models.CASCADE, null=True, blank=True, help_text="Leave empty for all exams.")

    objects = ListQuerySet.as_manager()

    class Meta:
        verbose_name = "screening entry"
        verbose_name_plural = "screening entries"
        constraints = [
            models.UniqueConstraint(fields=["kind", "text", "exam"], name="list_entry_once"),
            # To a unique constraint two nulls are different, so with the first one alone the same entry for all exams
            # could be added twice.
            models.UniqueConstraint(fields=["kind", "text"], condition=Q(exam=None), name="list_entry_of_all_once"),
        ]

    def __str__(self) -> str:
        return self.text
