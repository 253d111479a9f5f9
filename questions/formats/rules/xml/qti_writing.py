"""Writing QTI 2.1 and 3.0: an item as XML, several as a package with a manifest (IMS Content Packaging).

Texts are HTML as XML: code names its language, formulas are MathML with their TeX. Feedback is modal: an option's has
the option's identifier, the explanation is always shown. Tags and category are in the manifest's metadata (LOM).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape
from xml.sax.saxutils import escape, quoteattr

from courseiva.common.rich_text import portable, show_pictures
from courseiva.common.texts.formulas.dollars import Formula
from courseiva.common.texts.formulas.mathml import FormulaError, as_xml
from questions.formats.rules.items import SINGLE, UNSTORABLE, Item, content_id, qti_identifier

VOID = re.compile(r"<(br|hr)>")
IMAGE = re.compile(r'<img class="picture" src="/pictures/([^"]*)" (width="\d+" height="\d+" alt="[^"]*")[^>]*>')
ENTITY = re.compile(r"&(?!amp;|lt;|gt;|quot;|#)\w+;")
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same items give the same bytes
LOM = "http://www.imsglobal.org/xsd/imsmd_v1p2"


@dataclass(frozen=True)
class Dialect:
    namespace: str
    item_type: str
    packaging: str
    schema: str
    version: str
    dashed: bool

    def name(self, tag: str) -> str:
        """``simpleChoice`` as this version writes it."""
        return "qti-" + self.dash(tag) if self.dashed else tag

    def dash(self, name: str) -> str:
        """``maxChoices`` as this version writes it."""
        return re.sub(r"[A-Z]", lambda match: "-" + match.group().lower(), name) if self.dashed else name

    def tag(self, name: str, content: str = "", **attributes: str) -> str:
        """An element. Text content must already be XML."""
        given = "".join(f" {self.dash(key)}={quoteattr(value)}" for key, value in attributes.items())
        return f"<{self.name(name)}{given}>{content}</{self.name(name)}>"


QTI_2_1 = Dialect(
    namespace="http://www.imsglobal.org/xsd/imsqti_v2p1",
    item_type="imsqti_item_xmlv2p1",
    packaging="http://www.imsglobal.org/xsd/imscp_v1p1",
    schema="IMS Content",
    version="1.1",
    dashed=False,
)
QTI_3 = Dialect(
    namespace="http://www.imsglobal.org/xsd/imsqtiasi_v3p0",
    item_type="imsqti_item_xmlv3p0",
    packaging="http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1",
    schema="QTI Package",
    version="3.0.0",
    dashed=True,
)


def write(items: Iterable[Item], dialect: Dialect) -> bytes:
    """One item without tags or category as XML, everything else as a package."""
    items = list(items)
    if len(items) == 1 and not (items[0].tags or items[0].category or items[0].pictures):
        return item_xml(items[0], dialect).encode()
    return package(items, dialect)


def item_xml(item: Item, dialect: Dialect) -> str:
    """One item; its id is kept if it is a valid QTI identifier."""
    d = dialect
    cardinality = "single" if item.kind == SINGLE else "multiple"
    names = [f"option_{number}" for number in range(1, len(item.options) + 1)]
    right = "".join(d.tag("value", names[place]) for place in item.correct)
    body = [
        d.tag("responseDeclaration", d.tag("correctResponse", right), identifier="RESPONSE", cardinality=cardinality,
              baseType="identifier"),
        d.tag("outcomeDeclaration", d.tag("defaultValue", d.tag("value", "0")), identifier="SCORE",
              cardinality="single", baseType="float"),
        d.tag("outcomeDeclaration", identifier="FEEDBACK", cardinality=cardinality, baseType="identifier"),
        d.tag("outcomeDeclaration", d.tag("defaultValue", d.tag("value", "explanation")), identifier="EXPLANATION",
              cardinality="single", baseType="identifier"),
        d.tag("itemBody", f"<div>{xhtml(item.stem)}</div>{_choices(item, names, d)}"),
        _processing(d),
        *_feedback(item, names, d),
    ]  # fmt: skip
    attributes = {
        "identifier": identifier(item),
        "title": item.title,
        "adaptive": "false",
        "timeDependent": "false",
    }
    root = d.tag("assessmentItem", "\n".join(["", *body, ""]), xmlns=d.namespace, **attributes)
    return UNSTORABLE.sub("", f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n')


def _choices(item: Item, names: list[str], d: Dialect) -> str:
    most = "1" if item.kind == SINGLE else "0"
    choices = [
        d.tag("simpleChoice", xhtml(option.text), identifier=name, fixed="false")
        for name, option in zip(names, item.options, strict=True)
    ]
    return d.tag("choiceInteraction", "".join(choices), responseIdentifier="RESPONSE", shuffle="true", maxChoices=most)


def _processing(d: Dialect) -> str:
    """All-or-nothing scoring; the chosen options' feedback is shown."""
    response = d.tag("variable", identifier="RESPONSE")
    matched = d.tag("match", response + d.tag("correct", identifier="RESPONSE"))
    scored = d.tag("setOutcomeValue", d.tag("baseValue", "1", baseType="float"), identifier="SCORE")
    shown = d.tag("setOutcomeValue", response, identifier="FEEDBACK")
    return d.tag("responseProcessing", d.tag("responseCondition", d.tag("responseIf", matched + scored)) + shown)


def _feedback(item: Item, names: list[str], d: Dialect) -> list[str]:
    told = [("FEEDBACK", name, option.feedback) for name, option in zip(names, item.options, strict=True)]
    told.append(("EXPLANATION", "explanation", item.explanation))
    return [
        d.tag("modalFeedback", _content(text, d), outcomeIdentifier=outcome, identifier=name, showHide="show")
        for outcome, name, text in told
        if text
    ]


def _content(text: str, d: Dialect) -> str:
    return d.tag("contentBody", xhtml(text)) if d.dashed else xhtml(text)


def xhtml(markdown: str) -> str:
    """A text's HTML as XML; a picture is a file in the package, next to the items' folder."""
    html = IMAGE.sub(r'<img src="../pictures/\1" \2/>', show_pictures(portable(markdown, _math)))
    return ENTITY.sub(lambda found: unescape(found.group()), VOID.sub(r"<\1/>", html))


def _math(formula: Formula) -> str:
    """MathML with its TeX; formulas that can't be converted are written with TeX delimiters."""
    try:
        return as_xml(formula)
    except FormulaError:
        return escape(formula.delimited)


def identifier(item: Item) -> str:
    """The item's id or, if it isn't a valid QTI identifier, a name made from it."""
    return qti_identifier(item.id) if item.id else content_id(item)


def package(items: list[Item], dialect: Dialect) -> bytes:
    """A zip archive: the manifest, and a file for each item."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        names = [f"items/item-{number:05}.xml" for number in range(1, len(items) + 1)]
        archive.writestr(_info("imsmanifest.xml"), _manifest(list(zip(names, items, strict=True)), dialect))
        for name, item in zip(names, items, strict=True):
            archive.writestr(_info(name), item_xml(item, dialect))
        for picture in {each.name: each for item in items for each in item.pictures}.values():
            archive.writestr(_info(f"pictures/{picture.name}"), picture.content)
    return content.getvalue()


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _manifest(files: list[tuple[str, Item]], dialect: Dialect) -> str:
    resources = "\n".join(
        f'<resource identifier="resource-{number}" type="{dialect.item_type}" href="{name}">'
        f'{_metadata(item)}<file href="{name}"/>{_picture_files(item)}</resource>'
        for number, (name, item) in enumerate(files, start=1)
    )
    return UNSTORABLE.sub(
        "",
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<manifest xmlns="{dialect.packaging}" xmlns:imsmd="{LOM}" identifier="questions">\n'
        f"<metadata><schema>{dialect.schema}</schema><schemaversion>{dialect.version}</schemaversion></metadata>\n"
        f"<organizations/>\n<resources>\n{resources}\n</resources>\n</manifest>\n",
    )


def _picture_files(item: Item) -> str:
    return "".join(f'<file href="pictures/{picture.name}"/>' for picture in item.pictures)


def _metadata(item: Item) -> str:
    """Tags as keywords, the parts of the category as a taxon path."""
    keywords = "".join(f"<imsmd:keyword>{_words(tag)}</imsmd:keyword>" for tag in item.tags)
    path = "".join(
        f"<imsmd:taxon><imsmd:entry>{_words(part)}</imsmd:entry></imsmd:taxon>" for part in item.category.split("/")
    )
    general = f"<imsmd:general>{keywords}</imsmd:general>" if keywords else ""
    place = f"<imsmd:classification><imsmd:taxonpath>{path}</imsmd:taxonpath></imsmd:classification>"
    found = general + (place if item.category else "")
    return f"<metadata><imsmd:lom>{found}</imsmd:lom></metadata>" if found else ""


def _words(text: str) -> str:
    return f'<imsmd:langstring xml:lang="en">{escape(text)}</imsmd:langstring>'
