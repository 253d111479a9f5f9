"""Check that an exam guide's objectives make a valid CASE 1.1 package of one tree with stable identifiers."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from questions.bank_files.load import load_exam
from questions.bank_files.rules.folder import read_exam_file
from questions.bank_files.rules.outlines import read_outlines
from questions.catalogue.outlines import store_outline
from questions.catalogue.rules.outline_file import Outline
from questions.models import Exam
from tests.support.bank import add_outline, make_exam
from tests.support.hooks import parsed

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]

URL = "/exams/pmle/objectives/june-2026/case.json"
STATEMENTS = 4
Data = dict[str, Any]
Check = Callable[[object], bool]


def text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def a_uuid(value: object) -> bool:
    return isinstance(value, str) and str(uuid.UUID(value)) == value


def uri(value: object) -> bool:
    return isinstance(value, str) and urlsplit(value).scheme in ("http", "https") and bool(urlsplit(value).netloc)


def moment(value: object) -> bool:
    return isinstance(value, str) and dt.datetime.fromisoformat(value).tzinfo is not None


def day(value: object) -> bool:
    return isinstance(value, str) and bool(dt.date.fromisoformat(value))


def texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(text, value))


def place(value: object) -> bool:
    return isinstance(value, int) and value > 0


def exactly(*allowed: str) -> Check:
    return lambda value: value in allowed


def link(value: object) -> bool:
    return isinstance(value, dict) and not list(faults("LinkURI", value))


def link_gen(value: object) -> bool:
    return isinstance(value, dict) and not list(faults("LinkGenURI", value))


# The CASE Service 1.1 information model: what each class must have, and what else it may have.
# Nothing else is allowed: its schemas say additionalProperties: false.
MODEL: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
    "LinkURI": ({"title": text, "identifier": a_uuid, "uri": uri}, {}),
    "LinkGenURI": ({"title": text, "identifier": text, "uri": uri}, {"targetType": exactly("CASE")}),
    "CFPckgDocument": (
        {"identifier": a_uuid, "uri": uri, "creator": text, "title": text, "lastChangeDateTime": moment},
        {"frameworkType": text, "caseVersion": exactly("1.1"), "officialSourceURL": uri, "publisher": text,
         "description": text, "subject": texts, "language": text, "version": text,
         "adoptionStatus": exactly("Private Draft", "Draft", "Adopted", "Deprecated"), "statusStartDate": day,
         "statusEndDate": day, "licenseURI": link, "notes": text},
    ),
    "CFPckgItem": (
        {"identifier": a_uuid, "fullStatement": text, "uri": uri, "lastChangeDateTime": moment},
        {"alternativeLabel": text, "CFItemType": text, "humanCodingScheme": text, "listEnumeration": text,
         "abbreviatedStatement": text, "conceptKeywords": texts, "notes": text, "subject": texts, "language": text,
         "educationLevel": texts, "licenseURI": link, "statusStartDate": day, "statusEndDate": day},
    ),
    "CFPckgAssociation": (
        {"identifier": a_uuid, "associationType": exactly("isChildOf"), "uri": uri, "originNodeURI": link_gen,
         "destinationNodeURI": link_gen, "lastChangeDateTime": moment},
        {"sequenceNumber": place, "notes": text},
    ),
    "CFLicense": (
        {"identifier": a_uuid, "uri": uri, "title": text, "licenseText": text, "lastChangeDateTime": moment},
        {"description": text},
    ),
}  # fmt: skip


def faults(kind: str, row: Data) -> Iterator[str]:
    """Return the fields of a row that the model doesn't allow, that are missing or that have a wrong value."""
    must, may = MODEL[kind]
    yield from (f"{kind} without {name}" for name in must if name not in row)
    yield from (f"{kind} with {name}" for name in row if name not in must | may)
    yield from (
        f"{kind}.{name} is {row[name]!r}" for name, fits in (must | may).items() if name in row and not fits(row[name])
    )


def all_faults(package: Data) -> list[str]:
    assert set(package) == {"CFDocument", "CFItems", "CFAssociations", "CFDefinitions"}
    assert set(package["CFDefinitions"]) == {"CFLicenses"}
    parts = [
        ("CFPckgDocument", [package["CFDocument"]]), ("CFPckgItem", package["CFItems"]),
        ("CFPckgAssociation", package["CFAssociations"]), ("CFLicense", package["CFDefinitions"]["CFLicenses"]),
    ]  # fmt: skip
    return [fault for kind, rows in parts for row in rows for fault in faults(kind, row)]


def package(url: str = URL) -> Data:
    answer = Client().get(url)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert "public" in answer.headers["Cache-Control"]
    return json.loads(answer.content)


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_outline(exam)
    return exam


def test_the_package_has_the_shape_of_case_1_1(exam: Exam) -> None:
    assert all_faults(package()) == []


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"title": "x", "identifier": str(uuid.uuid4())}, "LinkURI without uri"),
        ({"title": "x", "identifier": str(uuid.uuid4()), "uri": "https://e.example", "x": 1}, "LinkURI with x"),
        ({"title": "", "identifier": str(uuid.uuid4()), "uri": "https://e.example"}, "LinkURI.title is ''"),
    ],
)
def test_the_check_finds_planted_faults(row: Data, fault: str) -> None:
    assert list(faults("LinkURI", row)) == [fault]


def test_the_package_is_one_tree_in_the_outlines_order(exam: Exam) -> None:
    data = package()
    items = {item["identifier"]: item for item in data["CFItems"]}
    assert [item["humanCodingScheme"] for item in items.values()][:4] == ["1", "1.1", "1.1.a", "1.1.b"]
    above = {
        row["originNodeURI"]["identifier"]: row["destinationNodeURI"]["identifier"] for row in data["CFAssociations"]
    }
    assert set(above) == set(items)
    tops = {
        items[key]["humanCodingScheme"] for key, parent in above.items() if parent == data["CFDocument"]["identifier"]
    }
    assert tops == {"1", "2", "3", "4", "5", "6"}
    for key, parent in above.items():
        if parent in items:
            assert items[key]["humanCodingScheme"].startswith(items[parent]["humanCodingScheme"] + ".")
    assert [row["sequenceNumber"] for row in data["CFAssociations"]] == list(range(1, len(items) + 1))


def test_products_and_printed_headings_have_fields_separate_from_our_words(exam: Exam) -> None:
    by_number = {item["humanCodingScheme"]: item for item in package()["CFItems"]}
    assert by_number["2.1"]["abbreviatedStatement"] == "Printed 2"
    assert by_number["2.1"]["fullStatement"] == "Do 2."
    assert by_number["2.1.a"]["conceptKeywords"] == ["Lamp"]
    assert "conceptKeywords" not in by_number["2.1.b"]


def test_identifiers_are_unique_and_stable_across_servers(exam: Exam) -> None:
    def identifiers(data: Data) -> list[str]:
        return [row["identifier"] for row in (data["CFDocument"], *data["CFItems"], *data["CFAssociations"])]

    before = identifiers(package())
    assert len(set(before)) == len(before)
    exam.blueprints.get().objectives.all().delete()
    add_outline(exam)
    answer = Client().get(URL + "?fresh", headers={"host": "localhost"})
    assert identifiers(json.loads(answer.content)) == before
    assert package()["CFDocument"]["identifier"] == "2cdeafe1-37f7-5077-8792-e6a681bdbdf9"


def test_every_address_in_the_package_redirects_to_the_right_page(exam: Exam) -> None:
    for item in package()["CFItems"]:
        path, _, mark = item["uri"].removeprefix("http://testserver").partition("#")
        assert parsed(Client().get(path, follow=True)).find(id=mark)
    assert package()["CFDocument"]["uri"] == f"http://testserver{URL}"


def test_the_page_links_to_the_package_and_a_guide_without_an_outline_has_none(exam: Exam) -> None:
    page = parsed(Client().get("/exams/pmle/objectives/"))
    assert page.select_one('link[rel="alternate"][type="application/json"]')["href"] == URL
    assert page.select(f'main a[href="{URL}"]')
    make_exam("plain")
    assert Client().get("/exams/plain/objectives/june-2026/case.json").status_code == 404


def test_the_statement_count_does_not_grow_with_the_outline(exam: Exam) -> None:
    Client().get(f"{URL}?warm")
    with CaptureQueriesContext(connection) as queries:
        Client().get(f"{URL}?fresh")
    assert len(queries) == STATEMENTS


@pytest.mark.parametrize("slug", ["ace", "pmle"])
def test_our_own_guides_make_valid_packages(slug: str) -> None:
    folder = Path(settings.BASE_DIR) / "fixtures" / slug
    exam, read = load_exam(folder / "exam.yaml"), read_exam_file(folder).exam
    assert read is not None
    for outline in read_outlines(folder, read):
        assert isinstance(outline, Outline)
        store_outline(exam, outline)
    for guide in exam.blueprints.all():
        data = package(f"/exams/{slug}/objectives/{guide.key}/case.json")
        assert all_faults(data) == []
        assert len(data["CFItems"]) == guide.objectives.count() + guide.domains.count()
        assert data["CFDocument"]["adoptionStatus"] == ("Adopted" if guide.is_current else "Deprecated")
