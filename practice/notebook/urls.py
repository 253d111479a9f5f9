from __future__ import annotations

from django.urls import path

from courseiva.common.moved import moved
from practice.notebook.views import choice, contrasts, items, kept, misses, modules, notebook

CONTRAST = "practice/sessions/<uuid:session_uuid>/items/<int:position>/contrast/"

urlpatterns = [
    path("my-exam/", choice.my_exam, name="my-exam"),
    path("my-exam/places/", choice.my_places, name="my-places"),
    path("my-exam/<slug:place>/", choice.my_place, name="my-place"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/", items.breakdown, name="breakdown"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/note/", notebook.note, name="note"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/star/", notebook.star, name="star"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/bookmark/", moved(notebook.star, "star")),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/miss/", misses.miss, name="miss"),
    path("practice/sessions/<uuid:session_uuid>/items/<int:position>/highlight/", kept.highlight, name="highlight"),
    path("practice/<slug:exam_slug>/notebook/", kept.notebook, name="notebook"),
    path("practice/<slug:exam_slug>/notebook/export/", kept.export, name="notebook-export"),
    path("practice/<slug:exam_slug>/notebook/cards/", kept.cards, name="flashcards"),
    path("practice/<slug:exam_slug>/notebook/cards/turn/", kept.turn, name="flashcard-turn"),
    path(
        "practice/<slug:exam_slug>/notebook/highlights/<int:highlight_id>/drop/",
        kept.highlight_drop,
        name="highlight-drop",
    ),
    path("practice/<slug:exam_slug>/modules/<int:number>/highlight/", kept.module_highlight, name="module-highlight"),
    *(
        path(f"{CONTRAST}<uuid:answer>/{end}", view, name=name)
        for end, view, name in (
            ("", contrasts.contrast_answer, "contrast-answer"),
            ("note/", contrasts.contrast_note, "contrast-note"),
            ("star/", contrasts.contrast_star, "contrast-star"),
        )
    ),
    path("practice/<slug:exam_slug>/modules/", modules.module_marks, name="module-marks"),
    path("practice/<slug:exam_slug>/modules/<int:number>/", modules.module_read_state, name="module-mark"),
    path("practice/<slug:exam_slug>/modules/<int:number>/read/", modules.mark_module, name="module-read"),
]
