"""A tag that renders a form field in the site's style, with label, help and errors linked to the control."""

from typing import Any, TypedDict

from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString

register = template.Library()

CHECKS = {"checkbox"}
GROUPS = {"radioselect", "checkboxselectmultiple"}


class Field(TypedDict):
    field: BoundField
    kind: str
    label: str
    control: SafeString


@register.inclusion_tag("components/field.html")
def form_field(field: BoundField, label: str = "", help: str | None = None, **attributes: Any) -> Field:  # noqa: A002
    """Render a field. `help=""` removes the form's own help; other arguments become attributes of the control."""
    if help is not None:
        field.help_text = help  # Django then links it to the control
    attributes = {name.replace("_", "-"): value for name, value in attributes.items()}
    attributes.setdefault("placeholder", False)  # a placeholder disappears while typing, a label doesn't
    kind = "check" if field.widget_type in CHECKS else "group" if field.widget_type in GROUPS else "line"
    return Field(field=field, kind=kind, label=str(label or field.label), control=field.as_widget(attrs=attributes))
