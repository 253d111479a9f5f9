"""Writing the search index: entries from texts, and their words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from courseiva.common.heads.structured_data import plain_text
from courseiva.common.rich_text import with_words_alone
from questions.catalogue.models import Concept, StudyModule
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion
from questions.versions.rules.draft import ANSWER_PARTS
from questions.versions.search.drafts import catch_up_drafts, rebuild_drafts
from questions.versions.search.models import SearchEntry, SearchWord
from questions.versions.search.rules.mistyped import kept_words

BATCH = 200
"""Entries per transaction, so that catching up doesn't hold up publishing for long."""
WORDS_AT_ONCE = 500
"""SQLite takes a bounded number of values in a statement, and a module has thousands of words."""
OF_OPTIONS = ("tempts", "why", "right_if", "never")
BREAK = " · "


def index_version(version: QuestionVersion) -> None:
    """Index a version that has just gone live, replacing its question's older one; never a reserved one."""
    gone = SearchEntry.objects.filter(version__question=version.question_id)
    _replace(gone, [_of_version(version)] if version.pool == Pool.PUBLIC else [])


def index_new(versions: Iterable[QuestionVersion]) -> None:
    """Index live versions in the public pool that have no entry yet."""
    _replace(SearchEntry.objects.none(), [_of_version(each) for each in versions])


def index_module(module: StudyModule) -> None:
    """Update a module's entries."""
    _replace(SearchEntry.objects.filter(module=module), list(_of_module(module)))


def index_concepts(concepts: QuerySet[Concept]) -> None:
    """Update new and renamed concepts."""
    indexed = SearchEntry.objects.filter(concept=OuterRef("pk"), title=OuterRef("name"))
    stale = list(concepts.filter(~Exists(indexed)))
    if stale:
        _replace(SearchEntry.objects.filter(concept__in=stale), [SearchEntry(concept=c, title=c.name) for c in stale])


def catch_up() -> int:
    """Index what is missing, and remove what is no longer live: after an upgrade, or a release without the index."""
    _replace(SearchEntry.objects.filter(version__isnull=False, version__live_of=None), [])
    done = catch_up_drafts()
    while versions := unindexed()[:BATCH]:
        index_new(versions)
        done += len(versions)
    indexed = SearchEntry.objects.filter(module=OuterRef("pk"), digest=OuterRef("loaded_digest"))
    for module in StudyModule.objects.filter(~Exists(indexed)):
        index_module(module)
        done += 1
    index_concepts(Concept.objects.all())
    return done


def rebuild() -> int:
    """Delete and rebuild the index in one transaction: searches use the old one until then."""
    with transaction.atomic():
        # One long transaction, because this is run by hand and rarely: in steps, searches would find half of the bank
        # for minutes.
        SearchEntry.objects.all().delete()
        SearchWord.objects.all().delete()
        return rebuild_drafts() + catch_up()


def unindexed() -> QuerySet[QuestionVersion]:
    """Live versions in the public pool without an entry, by number."""
    live = QuestionVersion.objects.filter(live_of__isnull=False, pool=Pool.PUBLIC)
    missing = live.filter(~Exists(SearchEntry.objects.filter(version=OuterRef("pk"))))
    return missing.select_related("solution").order_by("live_of__exam", "live_of__number", "pk")


def _of_version(version: QuestionVersion) -> SearchEntry:
    facts: dict[str, Any] = version.solution.text
    said = [*(facts[name] for name in ANSWER_PARTS), *facts["key_concepts"], *facts["exam_tips"]]
    # A version older than families has no "right if".
    said += [option.get(name, "") for option in facts["options"] for name in OF_OPTIONS]
    return SearchEntry(
        version=version,
        title=version.title,
        prompt=_joined([version.stem, *(option["text"] for option in version.options)]),
        solution=_joined(said),
    )


def _of_module(module: StudyModule) -> Iterator[SearchEntry]:
    """One entry per section, and one for the rest, so that search results link to the right place."""
    html: dict[str, Any] = {"cards": [], "sections": [], "closing": []} | module.html
    around = [f"{card['title']} {card['html']}" for card in html["cards"]] + [box["html"] for box in html["closing"]]
    parts = [("", module.title, [module.summary, *(plain_text(_spaced(each)) for each in around)])]
    for section in html["sections"]:
        texts = [plain_text(_spaced(part.get("html", ""))) for part in section["parts"]]
        parts.append((section["anchor"], plain_text(section["title"]), texts))
    for anchor, title, texts in parts:
        yield SearchEntry(module=module, anchor=anchor, digest=module.loaded_digest, title=title, prompt=_joined(texts))


def _spaced(html: str) -> str:
    """Keep words in adjacent cells or paragraphs apart."""
    return html.replace("</", " </")


def _joined(texts: Iterable[str]) -> str:
    return BREAK.join(" ".join(with_words_alone(text).split()) for text in texts if text)


def _replace(gone: QuerySet[SearchEntry], fresh: Sequence[SearchEntry]) -> None:
    """Replace entries, and update the counts of words that differ."""
    with transaction.atomic():
        change = Counter(word for entry in fresh for word in _words(entry))
        # Evaluated now: later, the same condition would match the new entries too.
        old = list(gone)
        change.subtract(word for entry in old for word in _words(entry))
        SearchEntry.objects.filter(pk__in=[entry.pk for entry in old]).delete()
        SearchEntry.objects.bulk_create(fresh)
        _count(change)


def _words(entry: SearchEntry) -> set[str]:
    return kept_words(entry.title, entry.prompt, entry.solution)


def _count(change: Counter[str]) -> None:
    """Add to each word's count; in alphabetical order, so that two concurrent publishings never deadlock."""
    changed = sorted(word for word, by in change.items() if by)
    for at in range(0, len(changed), WORDS_AT_ONCE):
        words = changed[at : at + WORDS_AT_ONCE]
        locked = SearchWord.objects.select_for_update().filter(word__in=words).order_by("word")
        known = set(locked.values_list("word", flat=True))
        new = [SearchWord(word=word, entries=0) for word in words if word not in known and change[word] > 0]
        # Created with 0 and counted below: if another publisher has just created the same word, both still add to one
        # row.
        SearchWord.objects.bulk_create(new, ignore_conflicts=True)
        by_change: defaultdict[int, list[str]] = defaultdict(list)
        for word in words:
            by_change[change[word]].append(word)
        for by, same in by_change.items():
            SearchWord.objects.filter(word__in=same).update(entries=F("entries") + by)
        lost = [word for word in words if change[word] < 0]
        if lost:
            SearchWord.objects.filter(word__in=lost, entries__lte=0).delete()
