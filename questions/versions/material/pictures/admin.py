"""Pictures in the admin: a list of what is stored, and the page that takes one in."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from questions.versions.material.pictures.forms import PictureForm
from questions.versions.material.pictures.models import Picture
from questions.versions.material.pictures.reads import picture_limits
from questions.versions.material.pictures.rules.encode import BadPicture
from questions.versions.material.pictures.store import add_picture

MAY = "questions.change_question"
JSON = "application/json"


@admin.register(Picture)
class PictureAdmin(admin.ModelAdmin):
    """Whoever may change questions sees and adds pictures; nobody changes or deletes one."""

    list_display = ["shown", "line", "size", "versions", "added_at"]
    list_display_links = None
    list_per_page = 50
    search_fields = ["name"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Picture]:
        return super().get_queryset(request).annotate(used=Count("uses__version", distinct=True))

    @admin.display(description="picture")
    def shown(self, picture: Picture) -> SafeString:
        """Small, with its name in place of words, which stand in the texts that show it."""
        address = reverse("picture", args=[picture.name])
        return format_html('<img class="picture-small" src="{}" alt="{}" loading="lazy">', address, picture.name)

    @admin.display(description="line for a text")
    def line(self, picture: Picture) -> SafeString:
        return format_html("<code>{}</code>", line_of(picture.name, ""))

    @admin.display(description="published versions", ordering="used")
    def versions(self, picture: Picture) -> int:
        return int(getattr(picture, "used", 0))

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Take a picture in and give the line that shows it; the editor's script gets the same as JSON.

        JSON comes with the status 200 whatever it says, because a browser notes every other status in its console.
        """
        if not self.has_add_permission(request):
            raise PermissionDenied
        is_script = request.headers.get("Accept") == JSON
        form = PictureForm(request.POST or None, request.FILES or None, is_script=is_script)
        name = _taken(form) if request.method == "POST" else ""
        if is_script:
            return JsonResponse({"name": name} if name else {"error": " ".join(map(str, form.errors.get("file", [])))})
        if name:
            messages.success(request, "Picture added. Copy the line below into the text.", "picture")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Add a picture",
            "form": form,
            "name": name,
            "line": line_of(name, form.cleaned_data["words"]) if name else "",
            "limits": picture_limits(),
        }
        return TemplateResponse(request, "admin/questions/picture/add.html", context)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(MAY)

    def has_view_permission(self, request: HttpRequest, obj: Picture | None = None) -> bool:
        """Those of reserved questions too."""
        return request.user.has_perm(MAY)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(MAY)

    def has_change_permission(self, request: HttpRequest, obj: Picture | None = None) -> bool:
        """Its name is its content."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Picture | None = None) -> bool:
        """A draft, or the text of an old version, may name it."""
        return False


def line_of(name: str, words: str) -> str:
    """How a text shows the picture."""
    return f"![{words}](picture:{name})"


def _taken(form: PictureForm) -> str:
    """The name of the picture that was sent; "" with the reason in the form where it was not taken."""
    if not form.is_valid():
        return ""
    try:
        return add_picture(form.cleaned_data["file"].read())
    except BadPicture as refusal:
        form.add_error("file", f"The file {refusal}.")
        return ""
