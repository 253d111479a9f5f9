"""Django's test client keeps a copy of each context that a template was drawn with.

Of a form's widgets, two hundred on a page of the editor, nobody asks for it, and it was a fifth of that page's time.
"""

from typing import Any

from django.template import Template
from django.test import client

keep_context = client.store_rendered_templates


def keep_context_of_pages(
    store: dict[str, Any], signal: Any, sender: Any, template: Template, context: Any, **rest: Any
) -> None:
    """`response.context` and `response.templates` without what only draws a field."""
    if not (template.name or "").startswith("django/forms/"):
        keep_context(store, signal, sender, template, context, **rest)


client.store_rendered_templates = keep_context_of_pages
