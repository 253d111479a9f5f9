from __future__ import annotations

from django.urls import path

from courseiva.common.moved import moved
from practice.notebook.views import choice, contrasts, items, misses, modules, notebook

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
