"""An exam guide's objectives as a CASE 1.1 package (1EdTech Competencies and Academic Standards Exchange).

Identifiers depend only on the exam, the guide and the number, so they are the same on every server and after reloading
the outline. Source of the shape: the CASE Service 1.1 information model, CFPackage.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse

from courseiva.common.heads.structured_data import CONTENT_CREDIT, CONTENT_LICENCE
from questions.catalogue.models import Blueprint, Exam
from questions.catalogue.rules.outline_file import OutlineSource

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:courseiva:objectives")
LICENCE_NAME = "Creative Commons Attribution 4.0 International"
LICENCE_ID = uuid.uuid5(uuid.NAMESPACE_URL, CONTENT_LICENCE)
Data = dict[str, Any]


@dataclass(frozen=True)
class _Line:
    """A section, an objective or a point; ``parent`` is the number above it, "" if that is the guide."""

    kind: str
    number: str
    parent: str
    words: str
    name: str
    products: list[str]


@dataclass(frozen=True)
class _Guide:
    """Makes identifiers and links for one guide."""

    exam: Exam
    guide: Blueprint
    base: str

    @property
    def title(self) -> str:
        return f"{self.exam.name}, {self.guide.name}"

    @property
    def changed(self) -> str:
        """The day the outline was last read; its rows are recreated at each load."""
        sources = [OutlineSource.of(facts) for facts in self.guide.outline_sources]
        days = [self.guide.effective_from, *(source.opened for source in sources if source.opened)]
        return dt.datetime.combine(max(days), dt.time(), dt.UTC).isoformat()

    def identifier(self, number: str = "", child: str = "") -> str:
        """The identifier of the guide, of a numbered entry, or of the association between child and parent."""
        name = "/".join(part for part in (self.exam.slug, self.guide.key, number, child) if part)
        return str(uuid.uuid5(NAMESPACE, name))

    def uri(self, number: str = "") -> str:
        """The URI of the package, or of a number's place on the page."""
        if not number:
            return self.base + reverse("objectives-case", args=[self.exam.slug, self.guide.key])
        mark = "objective" if "." in number else "section"
        return f"{self.base}{reverse('objectives-of', args=[self.exam.slug, self.guide.key])}#{mark}-{number}"

    def link(self, number: str, title: str) -> Data:
        """A link as used in associations."""
        return {
            "title": title,
            "identifier": self.identifier(number),
            "uri": self.uri(number),
            "targetType": "CASE",
        }


def case_data(exam: Exam, key: str, base: str) -> Data:
    """The guide with this key; three queries. Raises Blueprint.DoesNotExist if it has no outline."""
    guide = exam.blueprints.get(key=key)
    if not guide.outline_sources:
        raise Blueprint.DoesNotExist
    of = _Guide(exam, guide, base)
    lines = list(_lines(guide))
    return {
        "CFDocument": _document(of),
        "CFItems": [_item(of, line) for line in lines],
        "CFAssociations": [_association(of, line, place) for place, line in enumerate(lines, 1)],
        "CFDefinitions": {"CFLicenses": [_licence(of)]},
    }


def _lines(guide: Blueprint) -> Iterator[_Line]:
    """Each section, followed by its objectives and their points, in outline order."""
    objectives = list(guide.objectives.select_related("parent"))
    for section in guide.domains.select_related("domain"):
        yield _Line("Section", section.number, "", section.name, "", [])
        for row in objectives:
            if row.domain_id == section.domain_id:
                kind, parent = ("Point", row.parent.number) if row.parent else ("Objective", section.number)
                yield _Line(kind, row.number, parent, row.words, row.name, list(row.products))


def _document(of: _Guide) -> Data:
    return {
        "identifier": of.identifier(),
        "uri": of.uri(),
        "caseVersion": "1.1",
        "creator": CONTENT_CREDIT,
        "publisher": settings.SITE_NAME,
        "title": of.title,
        "description": "What the vendor’s exam guide lists, in our own words.",
        "notes": f"Section and objective headings and product names as printed by {of.exam.vendor}.",
        "officialSourceURL": of.exam.guide_url,
        "language": "en",
        "version": of.guide.name,
        "adoptionStatus": "Adopted" if of.guide.is_current else "Deprecated",
        "statusStartDate": of.guide.effective_from.isoformat(),
        "licenseURI": {"title": LICENCE_NAME, "identifier": str(LICENCE_ID), "uri": CONTENT_LICENCE},
        "lastChangeDateTime": of.changed,
    }


def _item(of: _Guide, line: _Line) -> Data:
    found: Data = {
        "identifier": of.identifier(line.number),
        "uri": of.uri(line.number),
        "fullStatement": line.words,
        "humanCodingScheme": line.number,
        "CFItemType": line.kind,
        "language": "en",
        "lastChangeDateTime": of.changed,
    }
    found |= {"abbreviatedStatement": line.name} if line.name else {}
    return found | ({"conceptKeywords": line.products} if line.products else {})


def _association(of: _Guide, line: _Line, place: int) -> Data:
    """The line's parent, and its position in the outline."""
    above = line.parent
    return {
        "identifier": of.identifier(above or "guide", line.number),
        "uri": of.uri(line.number),
        "associationType": "isChildOf",
        "sequenceNumber": place,
        "originNodeURI": of.link(line.number, f"{line.kind} {line.number}"),
        "destinationNodeURI": of.link(above, above or of.title),
        "lastChangeDateTime": of.changed,
    }


def _licence(of: _Guide) -> Data:
    return {
        "identifier": str(LICENCE_ID),
        "uri": CONTENT_LICENCE,
        "title": LICENCE_NAME,
        "licenseText": f"{LICENCE_NAME}: {CONTENT_LICENCE}",
        "lastChangeDateTime": of.changed,
    }
