"""Searching: the best hits in the index, and the words probably meant.

An entry is shown only if its version is currently the live one of a public question; ``allowed`` says which questions
those are. Everything found here is public, although a question's page shows the solution only after an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from questions.versions.models.drafts import Question
from questions.versions.search.models import SearchEntry, SearchWord
from questions.versions.search.rules.asking import Term, as_fts5, as_tsquery
from questions.versions.search.rules.mistyped import meant, trigrams, with_meant

MOST_HITS = 500
"""The number ranked and counted, titles first: ranking all of thirty thousand takes seconds, and nobody reads on."""
MOST_OTHERS = 60  # concepts and sections of modules
NEAR = 40  # how many words a mistyped one is compared with

# SQL of our own, since the ORM can't express FTS5 or a query for both tiers in one statement. What readers type is only
# ever a parameter.
_JOINED = "questions_searchentry e JOIN questions_question t ON t.live_version_id = e.version_id"
# ts_rank's weights are for D, C, B, A; bm25's follow the column order.
_POSTGRES = """
    SELECT e.id, t.id, {tier}, ts_rank('{{.05, .1, .3, 1}}', e.words, q), t.exam_id, t.number
    FROM {joined}, to_tsquery('english', %s) q WHERE e.{column} @@ q AND EXISTS ({allowed}) LIMIT {most}"""
_SQLITE = """
    SELECT e.id, t.id, {tier}, -bm25(questions_searchtext, 10.0, 3.0, 1.0), t.exam_id, t.number
    FROM questions_searchtext f CROSS JOIN {joined} AND e.id = f.rowid
    WHERE questions_searchtext MATCH %s AND EXISTS ({allowed}) LIMIT {most}"""
_OTHERS_POSTGRES = """
    SELECT e.id FROM questions_searchentry e, to_tsquery('english', %s) q
    WHERE e.words @@ q AND e.version_id IS NULL ORDER BY ts_rank(e.words, q) DESC, e.id LIMIT {most}"""
# The plus stops SQLite from starting with the list: it looks up each match among a few ids, instead of searching for
# each id.
_OTHERS_SQLITE = """
    SELECT f.rowid FROM questions_searchtext f
    WHERE questions_searchtext MATCH %s AND +f.rowid IN (SELECT id FROM questions_searchentry WHERE version_id IS NULL)
    ORDER BY bm25(questions_searchtext, 10.0, 3.0, 1.0), f.rowid LIMIT {most}"""
_NEAR_POSTGRES = "SELECT word, entries FROM questions_searchword ORDER BY word <-> %s LIMIT {most}"
_NEAR_SQLITE = """
    SELECT w.word, w.entries FROM questions_searchtrigram f JOIN questions_searchword w ON w.id = f.rowid
    WHERE questions_searchtrigram MATCH %s ORDER BY f.rank LIMIT {most}"""


@dataclass(frozen=True)
class Hits:
    """Question ids, best first; ``is_cut`` if more match than are ranked."""

    questions: list[int]
    is_cut: bool = False


def hits(terms: Sequence[Term], allowed: QuerySet[Question], most: int = MOST_HITS) -> Hits:
    """The allowed questions that contain all terms; one query.

    Those with all of them in the title come first. Of the others, as many as there is room for are ranked.
    """
    if not terms:
        return Hits([])
    try:
        # Checked for each match: with a list of ids, SQLite would first look through the whole bank.
        of_match = allowed.order_by().filter(pk=RawSQL("t.id", ())).values("pk")  # the SQL is a constant
        inner, inside = of_match.query.sql_with_params()
    except EmptyResultSet:
        return Hits([])
    found: list[tuple[int, int, int, float, int, int]] = []
    template, asked = (_POSTGRES, _tsqueries) if connection.vendor == "postgresql" else (_SQLITE, _matches)
    parts, params = [], []
    for tier, (column, query) in enumerate(asked(terms)):
        part = template.format(tier=tier, joined=_JOINED, column=column, allowed=inner, most=most)
        parts.append(f"SELECT * FROM ({part}) AS tier{tier}")  # noqa: S608  # of constants, and of what the ORM wrote
        params += [query, *inside]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), params)
        found = cursor.fetchall()
    found.sort(key=lambda row: (row[2], -row[3], *row[4:]))
    ids = list(dict.fromkeys(row[1] for row in found))
    return Hits(ids[:most], is_cut=sum(row[2] for row in found) >= most)


def _tsqueries(terms: Sequence[Term]) -> list[tuple[str, str]]:
    return [("titles", as_tsquery(terms)), ("words", as_tsquery(terms))]


def _matches(terms: Sequence[Term]) -> list[tuple[str, str]]:
    return [("", as_fts5(terms, "title")), ("", as_fts5(terms))]


def entries_of(questions: Iterable[int]) -> dict[int, tuple[Question, SearchEntry]]:
    """Questions with their entries by question id, and everything for a line in a list; one query."""
    joined = SearchEntry.objects.select_related("version__live_of__exam", "version__domain")
    found = joined.filter(version__live_of__in=list(questions))
    return {entry.version.live_of.pk: (entry.version.live_of, entry) for entry in found if entry.version}


def other_entries(terms: Sequence[Term]) -> list[SearchEntry]:
    """Concepts and module sections containing all terms, best first; two queries, or one if there are none."""
    if not terms:
        return []
    is_postgres = connection.vendor == "postgresql"
    template, query = (_OTHERS_POSTGRES, as_tsquery(terms)) if is_postgres else (_OTHERS_SQLITE, as_fts5(terms))
    with connection.cursor() as cursor:
        cursor.execute(template.format(most=MOST_OTHERS), [query])
        ids = [pk for (pk,) in cursor.fetchall()]
    texts = ("module__body", "module__html", "module__notebook", "module__sources")
    rows = SearchEntry.objects.select_related("concept__domain__exam", "module__exam").defer(*texts)
    found = rows.in_bulk(ids) if ids else {}
    return [found[pk] for pk in ids if pk in found]


def without_hits(terms: Sequence[Term], allowed: QuerySet[Question]) -> list[Term]:
    """The terms without hits; a query or two for each."""
    return [
        term
        for term in terms
        if not term.is_excluded and not hits([term], allowed, most=1).questions and not other_entries([term])
    ]


def probably(text: str, terms: Sequence[Term]) -> str:
    """The text with these terms' words as probably meant; "" if one of them is unlike any word."""
    words = {word for term in terms for word in term.words}
    unknown = words - set(SearchWord.objects.filter(word__in=words).values_list("word", flat=True))
    instead = {word: meant(word, _near(word)) for word in unknown}
    return with_meant(text, instead) if instead and all(instead.values()) else ""


def _near(word: str) -> dict[str, int]:
    """Indexed words sharing the most trigrams, with their number of entries."""
    if connection.vendor == "sqlite":
        any_of = " OR ".join(f'"{three}"' for three in trigrams(word))
        return _rows(_NEAR_SQLITE, any_of)
    if have_trigrams():
        return _rows(_NEAR_POSTGRES, word)
    # Without the extension, this takes words with the same first letter, which people seldom mistype.
    return dict(SearchWord.objects.filter(word__startswith=word[0]).values_list("word", "entries"))


def have_trigrams() -> bool:
    """Whether this PostgreSQL database has the extension pg_trgm."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm')")
        return bool(cursor.fetchone()[0])


def _rows(template: str, value: str) -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(template.format(most=NEAR), [value])
        return dict(cursor.fetchall())
