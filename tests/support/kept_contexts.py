"""In tests Django signals each template that is drawn, and its client keeps a copy of the context.

For a form's widgets, two hundred on an editor's page, nobody needs it, and it took a fifth of that page's time.
"""

from django.template import Context, Template
from django.test import utils

draw_and_tell = utils.instrumented_test_render


def draw(template: Template, context: Context) -> str:
    """`response.context` and `response.templates` are without what only draws a field."""
    if (template.name or "").startswith("django/forms/"):
        return template.nodelist.render(context)
    return draw_and_tell(template, context)


utils.instrumented_test_render = draw
