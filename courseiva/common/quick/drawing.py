"""Faster template rendering: what Django does for every value of every page, reduced to what our values need.

A page of sixty questions renders three thousand values. For each, Django looks through every context, tries four kinds
of look-up with an exception between them, and handles two time zones, a language's formats and a lazy wrapper around
the escaping. Here the usual value takes a short cut: a name from the contexts, then keys and attributes, then text or a
number. Anything unusual goes through Django's own code from the start, so both render the same; docs/decisions/0061.
"""

from __future__ import annotations

from html import escape
from typing import Any

from django.template.base import (
    FilterExpression,
    Node,
    NodeList,
    Template,
    Variable,
    VariableDoesNotExist,
    VariableNode,
    render_value_in_context,
)
from django.template.context import Context
from django.template.defaulttags import IfNode, TemplateLiteral
from django.template.loaders import cached
from django.template.smartif import TokenBase
from django.utils.safestring import SafeString

NO_KEY = (TypeError, AttributeError, KeyError, ValueError, IndexError)


class Loader(cached.Loader):
    """Django's loader, which compiles each template once; the result is then made quick."""

    def get_template(self, template_name: str, skip: list[Any] | None = None) -> Template:
        """The template, made quick."""
        template = super().get_template(template_name, skip)
        if not isinstance(template.nodelist, Parts):
            make_quick(template.nodelist)
            template.nodelist = Parts(template.nodelist)
        return template


def make_quick(part: object) -> None:
    """Switch each value that this part of a template prints, tests or passes on to its short cut."""
    inner: Any = ()
    if isinstance(part, Variable):
        if type(part) is Variable and part.lookups and not part.translate:
            part.__class__ = Name
    elif isinstance(part, FilterExpression):
        make_quick(part.var)
        inner = [arguments for _, arguments in part.filters]
        if type(part) is FilterExpression and type(part.var) is Name and not part.filters:
            part.__class__ = Plain
    elif isinstance(part, dict):
        inner = part.values()
    elif isinstance(part, list | tuple):
        inner = part
    elif isinstance(part, Node | TokenBase):
        inner = vars(part).values()
    for each in inner:
        make_quick(each)
    _shorten(part)


def _shorten(part: Any) -> None:
    """Switch a part to its faster class, once the parts inside it have been switched."""
    if type(part) is VariableNode:
        part.__class__ = Word if type(part.filter_expression) is Plain else Value
    elif type(part) is TemplateLiteral:
        asked: Any = part.value
        if type(asked) is Plain:
            part.__class__ = Asked
    elif type(part) is IfNode:
        part.__class__ = Either


class Parts(NodeList):
    """The nodes of a whole template. Each page that extends it asks for its blocks."""

    def __init__(self, nodes: NodeList) -> None:
        super().__init__(nodes)
        self.contains_nontext = nodes.contains_nontext
        self._by_type: dict[type[Node], list[Node]] = {}

    def get_nodes_by_type(self, nodetype: type[Node]) -> list[Node]:
        """Found once, because a compiled template never changes."""
        found = self._by_type.get(nodetype)
        if found is None:
            found = self._by_type[nodetype] = super().get_nodes_by_type(nodetype)
        return found


class Name(Variable):
    """A dotted name."""

    __slots__ = ()

    def _resolve_lookup(self, context: Context) -> Any:
        try:
            return look_up(self.lookups or (), context)
        except Exception:  # noqa: BLE001 - whatever it was: Django decides what becomes of it
            return super()._resolve_lookup(context)  # type: ignore[misc]


class Plain(FilterExpression):
    """A name without filters."""

    __slots__ = ()

    def resolve(self, context: Context, ignore_failures: bool = False) -> Any:
        """As Django does, trying the short cut first."""
        try:
            return look_up(self.var.lookups, context)
        except Exception:  # noqa: BLE001 - whatever it was: Django decides what becomes of it
            return super().resolve(context, ignore_failures)


class Value(VariableNode):
    """A value printed between braces."""

    def render(self, context: Context) -> str:
        """Text and whole numbers directly."""
        try:
            value = self.filter_expression.resolve(context)
        except UnicodeDecodeError:
            return ""
        kind = type(value)
        if kind is SafeString:
            return value
        if kind is str:
            return escape(value) if context.autoescape else value
        if kind is int and context.use_l10n is False:
            return str(value)
        return render_value_in_context(value, context)


class Word(Value):
    """A printed name without filters, which is three quarters of a page's values: rendered in one step."""

    def render_annotated(self, context: Context) -> str:
        """Text and whole numbers directly, everything else as Django does, which also says where an error came from."""
        try:
            value = look_up(self.filter_expression.var.lookups, context)
        except Exception:  # noqa: BLE001 - whatever it was: Django decides what becomes of it
            return super().render_annotated(context)  # type: ignore[return-value]  # always text
        kind = type(value)
        if kind is str:
            return escape(value) if context.autoescape else value
        if kind is SafeString:
            return value
        if kind is int and context.use_l10n is False:
            return str(value)
        return super().render_annotated(context)  # type: ignore[return-value]  # always text


class Asked(TemplateLiteral):
    """A name without filters in a condition."""

    value: Any

    def eval(self, context: Any) -> Any:
        """As Django does, trying the short cut first."""
        try:
            return look_up(self.value.var.lookups, context)
        except Exception:  # noqa: BLE001 - whatever it was: Django decides what becomes of it
            return super().eval(context)


class Either(IfNode):
    """An ``if`` with its conditions, and what is rendered where one holds."""

    def render_annotated(self, context: Context) -> str:
        """Renders without Django's wrapper, so errors name the part inside the condition or the one around it."""
        parts: Any = self.conditions_nodelists
        for condition, nodes in parts:
            try:
                holds = condition is None or condition.eval(context)
            except VariableDoesNotExist:
                holds = False
            if holds:
                return "".join([node.render_annotated(context) for node in nodes])
        return ""


def look_up(names: tuple[str, ...], context: Context) -> Any:
    """The value of a dotted name. Raises whatever the look-up raises; LookupError for a name that isn't defined."""
    first = names[0]
    for values in reversed(context.dicts):
        if first in values:
            current = values[first]
            break
    else:
        raise LookupError(first)
    if callable(current):
        current = called(current)
    for name in names[1:]:
        kind = type(current)
        if kind is dict:
            current = current[name]
        elif hasattr(kind, "__getitem__"):
            try:
                current = current[name]
            except NO_KEY:
                current = getattr(current, name)
        else:
            current = getattr(current, name)
        if callable(current):
            current = called(current)
    return current


def called(value: Any) -> Any:
    """What it returns; anything that must not be called, or not by a template, is left to Django."""
    if getattr(value, "do_not_call_in_templates", False) or getattr(value, "alters_data", False):
        raise LookupError
    return value()
