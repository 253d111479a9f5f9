"""Content of real exams, told, offered or asked for; collections of dumps by name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discussion.screening.rules.parts import DUMP_SITE, LEAK, Hit
from discussion.screening.rules.source_text import SourceText, fold
from discussion.screening.rules.words import Clue, Marks, matches

CLUES = (
    Clue(("genuine", "questions", "trade"), within=12, unless=("forbidding", "comparison")),
    Clue(("genuine", "questions", "wish"), within=5, unless=("forbidding", "comparison")),
    Clue(("exam_questions", "trade"), within=7, unless=("forbidding", "comparison")),
    Clue(("exam_questions", "genuine"), within=2, unless=("forbidding", "comparison", "asking")),
    Clue(("deictic", "was", "mine", "exam"), within=3, ordered=True, unless=("preparing", "asking")),
    Clue(("met", "deictic", "mine", "exam"), within=6, ordered=True, unless=("preparing", "asking")),
    Clue(("appeared", "mine", "exam"), within=3, ordered=True, unless=("preparing", "asking")),
    Clue(("page_is_it", "claim"), within=6, unless=("preparing", "asking", "forbidding")),
    Clue(("sat", "recent", "content"), within=130, unless=("own_success",), around=3),
    Clue(("share_of", "sameness", "recent"), within=16, unless=("preparing", "own_success")),
    Clue(("share_of", "sameness", "mine", "exam"), within=10, unless=("preparing",)),
    Clue(("memory", "memory_of"), within=14, unless=("preparing",)),
    Clue(("record", "record_of"), within=8, unless=("preparing", "forbidding")),
    Clue(("what", "past_asked", "asked_where"), within=18, ordered=True, unless=("score", "preparing")),
    Clue(("asked_where", "what", "past_asked"), within=12, ordered=True, unless=("score", "preparing")),
    Clue(("asker", "asked_for"), within=10, unless=("forbidding", "comparison", "preparing")),
    Clue(("collected", "questions", "takers"), within=12, unless=("forbidding", "comparison")),
    Clue(("brain_dump",), unless=("forbidding", "technical"), around=6),
    Clue(("dump", "dump_cue"), within=6, unless=("forbidding", "technical"), around=5),
    Clue(("dumps", "dumps_cue"), within=7, unless=("forbidding", "technical"), around=6),
    Clue(("dumps", "trade"), within=7, unless=("forbidding", "technical"), around=6),
    Clue(("write_down",), unless=("forbidding", "preparing", "score")),
    Clue(("verbatim", "when_verbatim"), within=5),
    Clue(("verbatim", "exam"), within=8, unless=("preparing",)),
    Clue(("alike", "mine", "exam"), within=5, unless=("preparing", "asking")),
    Clue(
        ("possess", "questions", "from_a_sitting", "exam"), within=4, ordered=True, unless=("preparing", "forbidding")
    ),
    Clue(("possess", "answers", "from_a_sitting", "exam"), within=4, ordered=True, unless=("preparing", "forbidding")),
    Clue(("alike", "exam"), within=8, unless=("preparing", "asking")),
    Clue(("in_my_exam", "item"), within=9, unless=("preparing", "asking", "score")),
    Clue(("confirm", "real_exam"), within=48, unless=("preparing", "asking")),
    Clue(("sat_now", "content"), within=130, unless=("own_success",), around=3),
    Clue(("anyone", "questions", "timeframe"), within=12, unless=("preparing",)),
    Clue(("possess", "questions", "timeframe"), within=10, unless=("preparing",)),
    Clue(("anyone", "what_got", "who_sat"), within=14, unless=("preparing", "score")),
    Clue(("noted", "questions", "exam"), within=8, unless=("preparing", "forbidding")),
    Clue(("collected", "remember", "exam"), within=10, unless=("preparing",)),
    Clue(("please_share", "goods_ask"), within=8, unless=("forbidding", "comparison")),
    Clue(("invite", "exam_thing"), within=60, unless=("preparing", "forbidding")),
    Clue(("leak_plain",), unless=("forbidding", "technical")),
    Clue(("leaked", "leak_goods"), within=3, unless=("leak_technical", "forbidding"), around=3),
    Clue(("buy_sell", "exam_goods"), within=5, unless=("forbidding",)),
    Clue(("cheat",), unless=("forbidding",)),
)
_SITE = re.compile(
    r"(?<![\w.])(?:exam-?topics?(?=\.|\b)|exam-?labs\b|(?:it)?pass-?4-?\w+|pass-?leader|braindumps?2?-?\w+"
    r"|(?:\w+-)?brain-?dumps?-\w+|dumps-?(?:base|pedia|gate|hub|barn|star|king|land|store|shop|pdf|mania|leader"
    r"|expert|world|zone|master|queen|guru)\w*"
    r"|(?:exam|cert|test|real|pass|free|it|valid|google|gcp|aws|azure|cloud|question|easy|quick|best"
    r"|top)s?-?dump[sz]?\w*|\w*(?:dumpz|4sure|examcollection|actual-?tests?|kill-?exams?|cert-?killer|test-?king"
    r"|prep-?away|vce-?(?:plus|guide|farm|\w+))\w*"
    r"|\w+\.vce\b|lead2pass|2pass\w+|free-?cram|cram-?(?:bible|master)\w*|it-?exams\b|certs?-?(?:leader|leech"
    r"|topper|bolt)\w*|exam-?(?:bible|sible|snap|vault)\w*)"
)
_WITHOUT_SPACES = re.compile(
    fold(
        "真题|题库|考试答案|考题|保过|包过|代考|过去問|問題集を|덤프|기출문제|족보|أسئلة الامتحان|"
        "تسريب|đề thi thật|ข้อสอบจริง"
    )
)
_NUMBERED = re.compile(
    r"\b(?:q|question|number|nr|no)\b\W{0,3}\d{1,3}\b[^.!?\n]{0,20}\b(?:(?:in|on|of|at) (?:my|mine|the real"
    r"|the actual)\b|for me\b)"
)
_PERCENT_SAME = re.compile(
    r"\b\d{1,3}\s?(?:%|percent|per cent|of (?:my|the) \d+|out of \d+|/\s?\d{2})[^.!?\n]{0,30}"
    r"\b(?:from here|from this (?:page|site)|word for word|(?:on|in) (?:the|my) (?:real |actual )?exam)\b"
)


def leaks(source: SourceText, marks: Marks) -> Iterator[Hit]:
    """What tells, offers or asks for the content of an exam."""
    for clue in CLUES:
        for found in matches(clue, marks):
            yield Hit(LEAK, *source.span(found.start, found.end))
    for pattern in (_WITHOUT_SPACES, _PERCENT_SAME, _NUMBERED):
        for match in pattern.finditer(source.plain):
            yield Hit(LEAK, *source.span(*match.span()))


def dump_sites(source: SourceText) -> Iterator[Hit]:
    """Names built like those of collections of dumps."""
    for match in _SITE.finditer(source.plain):
        yield Hit(DUMP_SITE, *source.span(*match.span()))
