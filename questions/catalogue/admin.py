"""The order of exams, set by the operator. Everything else about an exam comes from bank files."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.db.models import F
from django.http import HttpRequest

from questions.catalogue.models import Exam

MEANING = "1 comes first. If you leave it empty, the next load of the bank’s files fills it in."


class PlaceForm(forms.ModelForm):
    """A row of the list; its field's label names the exam."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["place"].widget.attrs["aria-label"] = f"Position of {self.instance.code}"


@admin.register(Exam)
class ExamAdmin(admin.ModelAdmin):
    """Positions are edited in the list; loading files doesn't change them."""

    list_display = ["code", "name", "place"]
    list_editable = ["place"]
    ordering = [F("place").asc(nulls_last=True), "pk"]  # the same order as for visitors
    # The field has no help text: the list's form would refer to a description that the list doesn't render.
    fieldsets = [(None, {"fields": ["code", "name", "vendor", "place"], "description": MEANING})]
    readonly_fields = ["code", "name", "vendor"]
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}  # Django's future default; 5.2 warns without it

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> type[forms.ModelForm]:
        return super().get_changelist_form(request, form=PlaceForm, **kwargs)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Exams come from files."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Exam | None = None) -> bool:
        """Never: deleting an exam would delete all answers in it."""
        return False
