"""Pictures in the admin: the list, and the upload page."""

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
    """People who can change questions can see and add pictures; nobody can change or delete one."""

    list_display = ["shown", "line", "size", "versions", "added_at"]
    list_display_links = None
    list_per_page = 50
    search_fields = ["name"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Picture]:
        return super().get_queryset(request).annotate(used=Count("uses__version", distinct=True))

    @admin.display(description="picture")
    def shown(self, picture: Picture) -> SafeString:
        """A thumbnail, with its name instead of a description, which is in the texts that show it."""
        address = reverse("picture", args=[picture.name])
        return format_html('<img class="picture-small" src="{}" alt="{}" loading="lazy">', address, picture.name)

    @admin.display(description="line to copy")
    def line(self, picture: Picture) -> SafeString:
        return format_html("<code>{}</code>", line_of(picture.name, ""))

    @admin.display(description="published versions", ordering="used")
    def versions(self, picture: Picture) -> int:
        return int(getattr(picture, "used", 0))

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Store a picture and return the line that shows it; the editor's script gets it as JSON.

        JSON always comes with status 200, because browsers log every other status in the console.
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
        """Includes pictures of reserved questions."""
        return request.user.has_perm(MAY)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(MAY)

    def has_change_permission(self, request: HttpRequest, obj: Picture | None = None) -> bool:
        """Never: its name depends on its content."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Picture | None = None) -> bool:
        """Never: a draft or an old version may use it."""
        return False


def line_of(name: str, words: str) -> str:
    """The Markdown line that shows the picture."""
    return f"![{words}](picture:{name})"


def _taken(form: PictureForm) -> str:
    """The uploaded picture's name; "", with the reason in the form, if it was refused."""
    if not form.is_valid():
        return ""
    try:
        return add_picture(form.cleaned_data["file"].read())
    except BadPicture as refusal:
        form.add_error("file", f"The file {refusal}.")
        return ""
