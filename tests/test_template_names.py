"""An undefined name in a template is found; tests/test_addresses.py checks that no page has one."""

import pytest
from django.template import Context, Template

from tests.support.names import TEMPLATES, Names


@pytest.mark.parametrize(
    ("source", "printed", "reckoned"),
    [
        ("{{ known }}", [], []),
        ("{{ none.name }}", ["none.name"], []),
        ("{{ slip }}", ["slip"], []),
        ("{{ known.slip }}", ["known.slip"], []),
        ("{{ slip|default:'x' }}", [], ["slip"]),
        ("{% if slip %}{% endif %}{% for x in known.slip %}{% endfor %}", [], ["known.slip", "slip"]),
        ("{% if none.name %}{% endif %}", [], []),
    ],
)
def test_a_typo_is_reported_but_an_optional_name_is_not(source, printed, reckoned):
    names, template = Names(), Template(source)
    template.origin.name = str(TEMPLATES / "made.html")
    with names.watched():
        template.render(Context({"known": {"name": "x"}, "none": None}))
    assert sorted(name for _, name in names.printed) == printed
    assert sorted(names.reckoned) == reckoned
