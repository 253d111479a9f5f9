"""In packages that learning platforms export, the files with questions are read and unsafe archives refused."""

from __future__ import annotations

import io
import lzma
import random
import tarfile

import pytest

from questions.formats.rules.items import BadFile, Item, Skipped
from tests.questions.formats.finding import detected, found, keys
from tests.questions.formats.samples import MOODLE, QTI_12, QTI_21, zipped

META = """<?xml version="1.0" encoding="UTF-8"?>
<quiz identifier="g1" xmlns="http://canvas.instructure.com/xsd/cccv1p0"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><title>Lamps</title><quiz_type>assignment</quiz_type>
 <assignment identifier="g2"><title>Lamps</title></assignment></quiz>
"""
MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="g0" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"><metadata>
 <schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata><organizations/><resources>
 <resource identifier="g1" type="imsqti_xmlv1p2"><file href="g1/g1.xml"/><dependency identifierref="g9"/></resource>
 <resource identifier="g9" type="associatedcontent/imscc_xmlv1p1/learning-application-resource"
  href="g1/assessment_meta.xml"><file href="g1/assessment_meta.xml"/></resource></resources></manifest>
"""
QUIZ = ["lamp-1", "tools", "file"]


def names(results: list[Item | Skipped]) -> list[str]:
    return [each.id if isinstance(each, Item) else "file" for each in results]


def packed(files: dict[str, str | bytes], kind: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{kind}") as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def test_a_canvas_quiz_is_distinguished_from_a_moodle_one_by_its_namespace() -> None:
    export = zipped({"imsmanifest.xml": MANIFEST, "g1/assessment_meta.xml": META, "g1/g1.xml": QTI_12})
    assert detected(export, "quiz_export.zip") == "qti-1.2"
    assert names(found("qti-1.2", export)) == QUIZ
    with pytest.raises(BadFile):
        detected(META, "assessment_meta.xml")


def test_a_canvas_cartridge_yields_each_quiz_once() -> None:
    poorer = QTI_12.replace('ident="lamp-1"', 'ident="as-the-standard-wants-it"')
    cartridge: dict[str, str | bytes] = {
        "imsmanifest.xml": MANIFEST,
        "g1/assessment_qti.xml": poorer,
        "g1/assessment_meta.xml": META,
        "non_cc_assessments/g1.xml.qti": QTI_12,
    }
    assert names(found("qti-1.2", zipped(cartridge))) == QUIZ
    del cartridge["non_cc_assessments/g1.xml.qti"]
    assert names(found("qti-1.2", zipped(cartridge))) == ["as-the-standard-wants-it", "tools", "file"]


def test_a_package_may_hold_files_of_several_formats() -> None:
    mixed = found("qti-1.2", zipped({"a.xml": QTI_12, "b.xml": QTI_21, "c.xml": MOODLE}))
    assert {"lamp-1", "tools"} < {each.id for each in mixed if isinstance(each, Item)}
    assert len(mixed) == sum(len(found(name, each)) for name, each in
                             (("qti-1.2", QTI_12), ("qti-2.1", QTI_21), ("moodle-xml", MOODLE)))  # fmt: skip


def test_an_archive_inside_an_archive_is_reported() -> None:
    results = found("qti-2.1", zipped({"a.xml": QTI_21, "inner.zip": zipped({"b.xml": QTI_21})}))
    assert keys(results)[-1] == "file"
    assert "inner.zip" in results[-1].reason  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", ["gz", "xz"])
class TestTar:
    def test_a_tar_archive_is_read_like_a_zip_archive(self, kind: str) -> None:
        files: dict[str, str | bytes] = {"g1/assessment_meta.xml": META, "g1/g1.xml": QTI_12}
        content = packed(files, kind)
        assert detected(content, f"export.tar.{kind}") == "qti-1.2"
        assert names(found("qti-1.2", content)) == QUIZ

    def test_a_path_that_leaves_the_archive_is_refused(self, kind: str) -> None:
        taken, skipped = found("qti-2.1", packed({"a.xml": QTI_21, "../b.xml": QTI_21}, kind))
        assert isinstance(taken, Item)
        assert isinstance(skipped, Skipped)

    def test_an_archive_bomb_is_refused(self, kind: str) -> None:
        with pytest.raises(BadFile, match="100 times"):
            found("qti-2.1", packed({"a.xml": b" " * 30_000_000}, kind))

    def test_a_broken_archive_is_read_up_to_the_break(self, kind: str) -> None:
        content = packed({"a.xml": QTI_21, "b.bin": random.Random(1).randbytes(200_000)}, kind)
        taken, skipped = found("qti-2.1", content[:-1000])
        assert isinstance(taken, Item)
        assert isinstance(skipped, Skipped)


def test_an_xz_stream_that_needs_gigabytes_is_refused() -> None:
    greedy = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 512 * 1024 * 1024}]
    content = lzma.compress(b"x" * 100, lzma.FORMAT_XZ, filters=greedy)
    with pytest.raises(BadFile):
        found("qti-2.1", content)
