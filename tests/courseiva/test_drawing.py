"""A template compiled for speed renders what Django renders, whatever its values."""

import datetime as dt
from collections import namedtuple
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.template import Context, Template, engines
from django.template.base import NodeList, VariableNode
from django.template.loader import get_template
from django.utils.safestring import mark_safe

from courseiva.common.quick.drawing import Asked, Either, Loader, Parts, Plain, Value, Word, make_quick

Point = namedtuple("Point", "x y")


class Thing:
    """An object with every kind of attribute a template may ask for."""

    word = "a < b"
    items = ("one", "two")

    def told(self) -> str:
        return "told"

    def asks(self, name: str) -> str:
        return name

    def removed(self) -> str:
        return "must not be called"

    removed.alters_data = True  # type: ignore[attr-defined]

    @property
    def gone(self) -> str:
        raise ObjectDoesNotExist

    @property
    def broken(self) -> str:
        raise ValueError("broken")

    @property
    def misspelt(self) -> str:
        return self.no_such_name  # type: ignore[attr-defined]


class Kind:
    """A class that a template shows without calling it."""

    do_not_call_in_templates = True
    word = "of a class"


VALUES: dict[str, Any] = {
    "text": "<b>&'\"",
    "safe": mark_safe("<b>"),
    "whole": 12345,
    "part": 1234.5,
    "exact": Decimal("1234.50"),
    "yes": True,
    "nothing": None,
    "moment": dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC),
    "day": dt.date(2026, 10, 25),
    "rows": [{"n": 1}, {"n": 2}],
    "row": {"items": "a key", "n": {"deep": "deeper"}},
    "point": Point(1, "<"),
    "thing": Thing(),
    "kind": Kind,
    "function": lambda: "returned",
}
NAMES = [
    *VALUES,
    "missing",
    "missing.deeper",
    "rows.0.n",
    "rows.9",
    "rows.n",
    "row.items",
    "row.keys",
    "row.n.deep",
    "row.none",
    "point.x",
    "point.y",
    "point.1",
    "point.count",
    "thing.word",
    "thing.items.1",
    "thing.told",
    "thing.asks",
    "thing.removed",
    "thing.gone",
    "thing.none",
    "kind.word",
    "text.upper",
    "text.0",
    "whole.real",
    "moment.year",
    "nothing.deeper",
]
FORMS = [
    "{{ NAME }}",
    "{% autoescape off %}{{ NAME }}{% endautoescape %}",
    "{% load l10n %}{% localize off %}{{ NAME }}{% endlocalize %}",
    "{% load l10n %}{% localize on %}{{ NAME }}{% endlocalize %}",
    "{{ NAME|default:'none' }}",
    "{{ text|default:NAME }}",
    "{% if NAME %}yes{% else %}no{% endif %}",
    "{% if NAME == whole or not NAME %}yes{% endif %}",
    "{% if missing %}a{% elif NAME %}{{ NAME }}{% endif %}",
    "{% for it in 'ab' %}{% if it == 'a' %}{% if NAME %}{{ NAME }}{% endif %}{% else %}{{ it }}{% endif %}{% endfor %}",
    "{% for each in NAME|default:'ab' %}{{ forloop.counter }}{{ each }}{% endfor %}",
    "{% with it=NAME %}{{ it }}{% endwith %}",
    "{% load tz %}{% timezone 'Europe/Berlin' %}{{ NAME }}{% endtimezone %}",
    "{% firstof NAME text %}",
]


def quick(source: str) -> Template:
    """Return the template, compiled for speed as the loader does it."""
    template = Template(source)
    make_quick(template.nodelist)
    return template


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_a_quick_template_renders_what_django_renders(form: str, name: str) -> None:
    source = form.replace("NAME", name)

    def drawn(template: Template) -> str:
        try:
            return template.render(Context(VALUES))
        except Exception as error:  # noqa: BLE001 - a missing name in a filter's argument is refused by both
            return f"{type(error).__name__}"

    assert drawn(quick(source)) == drawn(Template(source))


@pytest.mark.parametrize("name", ["thing.broken", "thing.misspelt"])
def test_errors_in_a_quick_template_are_raised_as_django_raises_them(name: str) -> None:
    with pytest.raises((ValueError, AttributeError)) as raised:
        quick(f"{{{{ {name} }}}}").render(Context(VALUES))
    with pytest.raises(raised.type):
        Template(f"{{{{ {name} }}}}").render(Context(VALUES))


def test_the_site_uses_the_quick_templates() -> None:
    template = get_template("components/who_is.html").template  # type: ignore[attr-defined]
    values = template.nodelist.get_nodes_by_type(VariableNode)
    assert isinstance(engines["django"].engine.template_loaders[0], Loader)  # type: ignore[attr-defined]
    assert values
    assert all(isinstance(value, Value) for value in values)
    assert any(type(value) is Word for value in values)
    assert any(type(value.filter_expression) is Plain for value in values)


def test_conditions_in_a_template_are_compiled_too() -> None:
    (choice,) = quick("{% if text %}{{ text }}{% endif %}").nodelist
    assert type(choice) is Either
    ((condition, (word,)),) = choice.conditions_nodelists
    assert (type(condition), type(word)) == (Asked, Word)


@pytest.mark.parametrize("source", ["{% if text %}\n{{ thing.broken }}{% endif %}", "\n{{ thing.broken }}"])
def test_an_error_names_its_line_on_the_debug_page(source: str) -> None:
    engine = engines["django"].engine  # type: ignore[attr-defined]
    engine.debug = True
    try:
        template = quick(source)
        with pytest.raises(ValueError, match="broken") as raised:
            template.render(Context(VALUES))
    finally:
        engine.debug = False
    assert raised.value.template_debug["line"] == 2  # type: ignore[attr-defined]


def test_the_blocks_of_a_template_are_searched_for_once() -> None:
    template = Template("{% block a %}{{ text }}{% endblock %}")
    parts, plain = Parts(template.nodelist), NodeList(template.nodelist)
    assert parts.get_nodes_by_type(VariableNode) == plain.get_nodes_by_type(VariableNode)
    assert parts.get_nodes_by_type(VariableNode) is parts.get_nodes_by_type(VariableNode)
