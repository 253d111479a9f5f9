"""Shapes of records and of tables that other people's files have, in made-up examples."""

from __future__ import annotations

import json

import pytest

from questions.formats.rules.items import Item, Skipped
from tests.questions.formats.finding import detected, found, one

APART = {"question": "Who opens the shop?", "answer": "Ada", "wrong": ["Ben", "Cy"]}
UNDER_A_NAME = {
    "id": 1,
    "type": "text-choice",
    "title": "Opening",
    "content": "<p>Who opens the shop?</p>",
    "correctAnswer": {"q": "B"},
    "image": "",
    "options": [{"label": "A", "value": "A", "text": "Ben"}, {"label": "B", "value": "B", "text": "Ada"}],
}
SHORT = """-
  id: 1
  g: true
  correct: 'b'
  q: Who opens the shop?
  a:
    - Ben
    - Ada
-
  id: 2
  q: Who closes it?
  a:
    - Ada
    - correct: Ben
    - Cy
"""
TXT = """- question: Who opens the shop?
  choices:
    - txt: Ben
    - txt: Ada
      correct: true
"""
STEM = """stem: |
  Who opens the shop?
choices:
  - text: Ben
  - text: Ada
    correct: true
    rationale: She has the key.
solution: |
  Ada has the key.
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (STEM, "quiz.yaml"),
        (
            json.dumps(
                [{"stem": "Who opens the shop?", "choices": [{"text": "Ben"}, {"text": "Ada", "correct": True}]}]
            ),
            "q.json",
        ),
        (json.dumps([APART]), "quiz.json"),
        (json.dumps({"questions": [APART]}), "quiz.json"),
        (json.dumps([UNDER_A_NAME]), "quiz.json"),
        (TXT, "quiz.yaml"),
        (SHORT, "quiz.yaml"),
    ],
)
def test_records_as_others_write_them(text: str, name: str) -> None:
    assert detected(text, name) == "records"
    item = next(each for each in found("records", text) if isinstance(each, Item))
    assert item.stem == "Who opens the shop?"
    assert [option.text for option in item.options if option.right] == ["Ada"]
    assert len(item.options) > 1


def test_an_option_that_says_it_is_the_right_one() -> None:
    second = found("records", SHORT)[1]
    assert isinstance(second, Item)
    assert [(option.text, option.right) for option in second.options] == [("Ada", False), ("Ben", True), ("Cy", False)]


@pytest.mark.parametrize("wrong", [True, 2, "Ben"])
def test_what_is_wrong_but_no_list_makes_no_options(wrong: object) -> None:
    text = json.dumps([{**APART, "wrong": wrong}, APART])
    assert len([each for each in found("records", text) if isinstance(each, Item)]) == 1


def test_a_key_of_several_names_is_not_guessed() -> None:
    text = json.dumps([{**UNDER_A_NAME, "correctAnswer": {"q1": "A", "q2": "B"}}])
    (skipped,) = found("records", text)
    assert isinstance(skipped, Skipped)


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("Perguntas,Opção 1,Opção 2,Resposta", "Quem abre a loja?,Ben,Ada,Ada"),
        ("Nội dung câu hỏi,Đáp án đúng,Đáp án sai 1,Đáp án sai 2", "Ai mở cửa hàng?,Ada,Ben,Cy"),
        ("題型,題目內容,選項A,選項B,正確答案", "text-choice,誰開店,Ben,Ada,B"),
        ("Question,Type of question,Option A,Option B,Corect Answer", "Who opens the shop?,multiple_choice,Ben,Ada,B"),
    ],
)
def test_columns_in_other_languages(head: str, row: str) -> None:
    text = f"{head}\n{row}\n"
    assert detected(text, "table.csv") == "csv"
    item = one("csv", text)
    assert [option.text for option in item.options if option.right] == ["Ada"]


def test_a_solution_in_words_explains_if_the_options_are_marked() -> None:
    item = one("records", STEM)
    assert item.explanation == "Ada has the key."
    assert [option.right for option in item.options] == [False, True]


@pytest.mark.parametrize("name", ["Ссылка на изображение", "圖片網址", "Imagen", "Imagem", "Bild", "Hình ảnh"])
def test_a_question_with_a_linked_image_is_not_read_without_it(name: str) -> None:
    head = f"Question,Option 1,Option 2,Answer,{name}\n"
    with_image, without = found(
        "csv", f"{head}Who is this?,Ada,Ben,1,https://example.org/ada.png\nWho is that?,Ada,Ben,2,\n"
    )
    assert isinstance(with_image, Skipped)
    assert isinstance(without, Item)
