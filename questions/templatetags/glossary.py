"""A block that links the first mention of each product to the glossary."""

from __future__ import annotations

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe

from questions.catalogue.reads import term_addresses
from questions.catalogue.rules.term_links import TermLinks

register = template.Library()
UNDER_WAY = "terms_under_way"


class Terms(template.Node):
    """The content is rendered first, then first mentions are linked."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        """A nested block leaves the links to the outer one, which knows what comes first on the page."""
        if UNDER_WAY in context:
            return self.nodelist.render(context)
        with context.push(**{UNDER_WAY: True}):
            html = self.nodelist.render(context)
        # Sanitised at publishing, or rendered by a template: links are only inserted between tags.
        return mark_safe(TermLinks(term_addresses()).linked(html))  # noqa: S308


@register.tag
def terms(parser: Parser, token: Token) -> Terms:
    """``{% terms %}`` to ``{% endterms %}``; forms, links, headings and code don't change."""
    nodelist = parser.parse(("endterms",))
    parser.delete_first_token()
    return Terms(nodelist)
