"""Stops the test client from copying the context of every widget.

In tests, Django signals each template that is rendered, and its client keeps a copy of the context. For a form's
widgets, two hundred on an editor's page, nobody needs that copy, and it took a fifth of the page's time.
"""

from django.template import Context, Template
from django.test import utils

draw_and_tell = utils.instrumented_test_render


def draw(template: Template, context: Context) -> str:
    """Render a widget without a signal, so that `response.context` and `response.templates` leave it out."""
    if (template.name or "").startswith("django/forms/"):
        return template.nodelist.render(context)
    return draw_and_tell(template, context)


utils.instrumented_test_render = draw
