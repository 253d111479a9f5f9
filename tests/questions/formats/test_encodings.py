"""Texts that aren't UTF-8, files that aren't text and files with nothing in them are read or refused correctly."""

from __future__ import annotations

import codecs

import pytest

from questions.formats.rules.items import BadFile, Item
from questions.formats.rules.reading.encoding.guessing import marked_encoding
from questions.formats.rules.registry import BY_NAME, FORMATS
from tests.questions.formats.finding import detected, found, one
from tests.questions.formats.samples import GIFT, QTI_12, zipped

FRENCH = "Où se trouve le château ? L’élève répond « à côté »."
GERMAN = "Welche Straße führt über die „Brücke“? Größe und Länge prüfen."
SPANISH = "¿Cuál es la función del corazón? El niño pequeño."
SWEDISH = "Vilken är rätt? Åska, öl och ägg."
POLISH = "Która stolica leży nad Wisłą? Zażółć gęślą jaźń."
RUSSIAN = "Какой город является столицей? Выберите верный ответ."
JAPANESE = "日本の首都はどこですか。正しいものを選びなさい。"
CHINESE = "中国的首都是哪里？请选择正确的答案。"  # noqa: RUF001
KOREAN = "대한민국의 수도는 어디입니까?"


def asked(text: str) -> str:
    return f"::Q::[html]{text} {{=a ~b}}\n\n::R:: Again? {{=a ~b}}\n"


@pytest.mark.parametrize("text", [FRENCH, GERMAN, SPANISH, SWEDISH], ids=["fr", "de", "es", "sv"])
@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman"])
def test_texts_in_western_european_encodings_are_read(text: str, encoding: str) -> None:
    first, second = found("gift", asked(text).encode(encoding))
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert (first.stem, len(first.warnings), second.warnings) == (text, 1, ())


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(POLISH, "cp1250"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"), (JAPANESE, "cp932"), (JAPANESE, "euc_jp"),
     (CHINESE, "gbk"), (KOREAN, "cp949")],
)  # fmt: skip
def test_texts_of_other_writing_systems_are_read(text: str, encoding: str) -> None:
    first = found("gift", asked(text).encode(encoding))[0]
    assert isinstance(first, Item)
    assert (first.stem, len(first.warnings)) == (text, 1)


SHORT = {
    "gbk": ["中国的首都", "北京", "什么是光合作用", "下列哪一项", "水的沸点", "正确答案是哪个"],
    "big5": ["台灣的首都", "臺北", "什麼是光合作用", "下列何者正確", "水的沸點是多少"],
    "cp949": ["대한민국의 수도", "정답", "빛의 속도"],
    "cp932": ["日本の首都", "正しい"],
    "euc_jp": ["日本の首都"],
    "cp1252": ["zurück", "élève"],
    "mac_roman": ["zurück"],
    "cp1250": ["Které město", "Melyik kettő", "Która góra"],
    "koi8_r": ["столица"],
    "cp1251": ["город"],
}


@pytest.mark.parametrize(("encoding", "text"), [(name, text) for name, texts in SHORT.items() for text in texts])
def test_a_few_words_are_enough_to_tell_the_encoding(encoding: str, text: str) -> None:
    (first,) = found("gift", f"::Q::{text}? {{=a ~b}}".encode(encoding))
    assert isinstance(first, Item)
    assert (first.stem, len(first.warnings)) == (f"{text}?", 1)


def test_a_warning_about_a_doubtful_encoding_names_the_alternatives() -> None:
    doubtful = one("gift", "Se {=a ~b}".replace("Se", "Sę").encode("cp1250"))
    plain = one("gift", asked(CHINESE).partition("\n")[0].encode("gbk"))
    assert "windows-1252" in doubtful.warnings[0]
    assert "windows-1250" in doubtful.warnings[0]
    assert len(plain.warnings[0]) < len(doubtful.warnings[0])


@pytest.mark.parametrize("text", [FRENCH, JAPANESE, CHINESE], ids=["fr", "ja", "zh"])
@pytest.mark.parametrize(
    ("mark", "encoding", "warned"),
    [
        (b"", "utf-16-le", 1),
        (b"", "utf-16-be", 1),
        (codecs.BOM_UTF16_LE, "utf-16-le", 0),
        (codecs.BOM_UTF16_BE, "utf-16-be", 0),
        (codecs.BOM_UTF32_LE, "utf-32-le", 0),
        (codecs.BOM_UTF32_BE, "utf-32-be", 0),
    ],
)
def test_utf_16_is_read_with_a_warning_only_if_no_byte_order_mark_says_so(
    text: str, mark: bytes, encoding: str, warned: int
) -> None:
    content = mark + asked(text).encode(encoding)
    assert detected(content) == "gift"
    first = found("gift", content)[0]
    assert isinstance(first, Item)
    assert first.stem == text
    assert ["UTF-16" in warning for warning in first.warnings] == [True] * warned


def test_a_few_broken_bytes_do_not_change_the_rest() -> None:
    first = found("gift", asked(JAPANESE).encode() + b"// \xff\n")[0]
    assert isinstance(first, Item)
    assert (first.stem, len(first.warnings)) == (JAPANESE, 1)


def test_utf_8_causes_no_warning() -> None:
    assert one("gift", "Süß? {=a ~b}").warnings == ()


def test_a_file_in_a_package_may_have_its_own_encoding() -> None:
    bare = QTI_12.partition("?>")[2].replace("amber", "ámbar").encode("mac_roman")
    item = found("qti-1.2", zipped({"a.xml": bare}))[0]
    assert isinstance(item, Item)
    assert (item.options[1].text, len(item.warnings)) == ("ámbar", 1)


def test_the_encoding_that_xml_declares_is_used() -> None:
    text = QTI_12.replace("ISO-8859-1", "Shift_JIS").replace("blue", "青")
    item = found("qti-1.2", text.encode("shift_jis"))[0]
    assert isinstance(item, Item)
    assert (item.options[0].text, item.warnings) == ("青", ())


BINARY = {
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
    "doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
    "png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "rtf": rb"{\rtf1\ansi Which? \par}",
    "unknown": bytes(range(256)) * 8,
    "pptx": zipped({"[Content_Types].xml": "<Types/>", "ppt/presentation.xml": "<p/>"}),
    "odt": zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<o/>"}),
}


@pytest.mark.parametrize("content", BINARY.values(), ids=BINARY)
def test_a_file_that_is_not_text_is_refused_in_one_line(content: bytes) -> None:
    with pytest.raises(BadFile) as refused:
        detected(content, "questions.gift")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("form", [form.name for form in FORMATS if form.read])
def test_a_binary_file_is_refused_whatever_format_it_claims(form: str) -> None:
    with pytest.raises(BadFile):
        found(form, bytes(range(256)) * 8)


@pytest.mark.parametrize("form", [form.name for form in FORMATS if form.read])
def test_a_file_without_questions_is_an_error(form: str) -> None:
    with pytest.raises(BadFile):
        found(form, "<nothing/>" if BY_NAME[form].is_xml else "\n \n\n")


def test_random_bytes_are_not_mistaken_for_utf_16() -> None:
    assert marked_encoding(bytes(range(256))) == ""
    assert marked_encoding(GIFT.encode("utf-16-le")[:1024]) == "utf-16-le"
