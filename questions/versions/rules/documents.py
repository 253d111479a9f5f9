"""The three documents of a version, as facts and as HTML, from one draft."""

from __future__ import annotations

from typing import Any

from courseiva.common.rich_text import render, render_inline, render_marked, show_pictures
from courseiva.common.texts.formulas.mathml import named
from questions.versions.rules.draft import ANSWER_PARTS, LONG_PARTS, DraftQuestion


def prompt_facts(draft: DraftQuestion) -> dict[str, Any]:
    return {
        "stem": draft.stem,
        "options": [
            {"slot": option.slot, "text": option.text} for option in sorted(draft.options, key=lambda each: each.slot)
        ],
        "choose": len(draft.right_slots),
    }


def hint_facts(draft: DraftQuestion) -> list[dict[str, str]]:
    """The clue words and why each matters; what they confirm is part of the solution."""
    return [{"phrase": clue.phrase, "why": clue.why} for clue in draft.clues]


def solution_facts(draft: DraftQuestion) -> dict[str, Any]:
    """Everything that gives the answer away."""
    return {
        "quick_answer": draft.quick_answer,
        **{name: getattr(draft, name) for name in LONG_PARTS},
        "key_concepts": list(draft.key_concepts),
        "exam_tips": list(draft.exam_tips),
        "options": [
            {
                "slot": o.slot,
                "right": o.right,
                "tempts": o.tempts,
                "why": o.why,
                "right_if": o.right_if,
                "never": o.never,
                "concept": o.concept,
            }
            for o in draft.options
        ],
        "clues": [
            {"phrase": clue.phrase, "confirms": list(clue.confirms), "rules_out": list(clue.rules_out)}
            for clue in draft.clues
        ],
        "objectives": list(draft.objectives),
        "modules": list(draft.modules),
        "sources": [each.facts() for each in draft.sources],
    }


def key_mask(draft: DraftQuestion) -> int:
    """The key as a mask, bit = slot."""
    return sum(1 << slot for slot in draft.right_slots)


def prompt_html(stem: str, options: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "stem_html": show_pictures(render(stem)),
        "options_html": {
            str(option["slot"]): named(show_pictures(render_inline(option["text"]))) for option in options
        },
    }


def hint_html(stem: str, clues: list[dict[str, str]]) -> dict[str, Any]:
    """The hint's derived HTML: the highlighted stem and why each phrase matters."""
    return {
        "stem": render_marked(stem, [clue["phrase"] for clue in clues]),
        "clues": [{"phrase": render_inline(c["phrase"]), "why": render_inline(c["why"])} for c in clues],
    }


def solution_html(facts: dict[str, Any]) -> dict[str, Any]:
    """The solution's derived HTML; options keep their slots."""
    return {
        **{name: show_pictures(render(facts[name])) for name in ANSWER_PARTS},
        "key_concepts": [render_inline(text) for text in facts["key_concepts"]],
        "exam_tips": [render_inline(text) for text in facts["exam_tips"]],
        "options": {
            str(o["slot"]): {
                "tempts": render_inline(o["tempts"]),
                "why": show_pictures(render_inline(o["why"])),
                "right_if": render_inline(o.get("right_if", "")),  # versions from before families don't have it
                "never": render_inline(o.get("never", "")),
            }
            for o in facts["options"]
        },
        "clues": [render_inline(clue["phrase"]) for clue in facts["clues"]],
    }
