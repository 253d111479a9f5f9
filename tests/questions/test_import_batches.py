"""Check what is recorded of an import, what its page shows and that it can be undone in one step."""

from __future__ import annotations

import datetime as dt
import io
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format

from courseiva.accounts.models import User
from questions.desk import decide as desk
from questions.desk.publish import publish
from questions.formats.intake import undo as undoing_acts
from questions.formats.intake.jobs import Upload, begin_job, import_now, run_job
from questions.formats.intake.reads.plan import LEFT_ALONE, NEW, UNCHANGED
from questions.formats.intake.reads.target import UPDATE, Choice
from questions.formats.intake.reads.undoing import (
    DISCUSSED,
    EDITED,
    FAMILY,
    OVERWROTE,
    PUBLISHED,
    REVIEW,
    Undoing,
    undoing,
)
from questions.formats.intake.revise import REVISED
from questions.formats.intake.undo import undo
from questions.formats.rules.items import item_of_draft
from questions.formats.rules.registry import format_named, title_of
from questions.models import BatchEntry, Change, Desk, Exam, Family, ImportedItem, ImportJob, JobState, Left, Question
from questions.versions.errors import NotNow
from questions.versions.reads.drafts import draft_of
from questions.versions.rules.draft import DraftQuestion
from questions.versions.save import save_draft
from tests.questions.test_import_page import client_of, send
from tests.questions.test_importing import FIRST
from tests.support.bank import NOW, changed, draft, make_exam
from tests.support.editing import LIST
from tests.support.hooks import parsed, states, values
from tests.support.variants import variants

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
LATER = NOW + dt.timedelta(minutes=5)


@pytest.fixture
def exam() -> Exam:
    return make_exam()


@pytest.fixture
def somebody() -> User:
    return User.objects.create_user(email="some@example.com", password="x", is_staff=True)


def imported(
    exam: Exam,
    drafts: list[DraftQuestion],
    by: User | None = None,
    now: dt.datetime = NOW,
    choice: Choice | None = None,
) -> ImportJob:
    form = format_named("yaml")
    assert form.write
    content = form.write(map(item_of_draft, drafts))
    return import_now(Upload(content, "set.yaml", "yaml", exam, choice=choice or Choice()), by, now)


def why(found: Undoing) -> dict[str, str]:
    return {kept.entry.question.key: kept.why for kept in found.kept}


def batches_offered(page: Any) -> list[str]:
    """Return the ids of the imports by which the list can be filtered."""
    (found,) = [each for each in page.context["cl"].filter_specs if each.title == "import"] or [None]
    return [pk for pk, _ in found.lookup_choices] if found else []


def live(exam: Exam, *drafts: DraftQuestion) -> list[Question]:
    rows = [save_draft(exam, each, Question(exam=exam, key=each.key, place=n)) for n, each in enumerate(drafts)]
    for row in rows:
        publish(row, NOW, Change.FIRST)
    return rows


class TestKept:
    def test_an_import_records_file_person_time_format_and_tags(self, exam: Exam, somebody: User) -> None:
        upload = Upload(FIRST.encode(), "lamps.gift", "gift", exam, "d2")
        job = import_now(upload, somebody, NOW)
        facts = job.source, job.by, job.made_at, job.format, job.domain, job.state, job.counts
        assert facts == ("lamps.gift", somebody, NOW, "gift", "d2", JobState.DONE, {NEW: 2})
        assert bytes(ImportJob.objects.get().content) == b""
        assert list(job.entries.values_list("question__key", "left", "line", "tags")) == [
            ("lamp", Left.MADE, 2, ["c2"]), ("tool", Left.MADE, 4, []),
        ]  # fmt: skip

    def test_a_second_import_has_its_own_empty_batch(self, exam: Exam) -> None:
        imported(exam, [draft(1)])
        again = imported(exam, [draft(1)])
        assert (again.counts, again.entries.count()) == ({UNCHANGED: 1}, 0)

    def test_a_worker_resumes_what_a_stopped_server_left(
        self, exam: Exam, somebody: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stopped(*args: Any, **kwargs: Any) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("questions.formats.intake.jobs.run_job", stopped)
            with pytest.raises(KeyboardInterrupt):
                imported(exam, [draft(1)], somebody)
        run_job(ImportJob.objects.get().pk, LATER)
        assert ImportJob.objects.get().counts == {NEW: 1}
        assert list(Question.objects.get().authors.all()) == [somebody]

    def test_an_import_by_command_makes_a_batch_too(self, exam: Exam, somebody: User, tmp_path: Path) -> None:
        path = tmp_path / "lamps.gift"
        path.write_text(FIRST + "\n::Odd:: Match. {=a -> b =c -> d =e -> f}\n")
        call_command("import_questions", path, exam="pmle", commit=True, by=somebody.email, stdout=io.StringIO())
        job = ImportJob.objects.get()
        assert (job.state, job.by, job.counts, job.entries.count()) == (
            JobState.DONE, somebody, {NEW: 2, "skipped": 1}, 2,
        )  # fmt: skip

    def test_a_command_updates_only_on_behalf_of_a_person(self, exam: Exam, somebody: User, tmp_path: Path) -> None:
        live(exam, draft(1))
        path = tmp_path / "set.yaml"
        form = format_named("yaml")
        assert form.write
        path.write_bytes(form.write([item_of_draft(changed(draft(1), title="Renamed"))]))
        asked = {"exam": "pmle", "commit": True, "matching": "update", "stdout": io.StringIO()}
        for by in ("", "nobody@example.com"):
            with pytest.raises(CommandError):
                call_command("import_questions", path, by=by, **asked)
        call_command("import_questions", path, by=somebody.email, **asked)
        assert ImportJob.objects.get().counts == {REVISED: 1}


class TestUndone:
    def test_undoing_removes_unedited_drafts_which_can_be_imported_again(self, exam: Exam, somebody: User) -> None:
        job = imported(exam, [draft(1), *variants()], somebody)
        found = undoing(job)
        assert (len(found.removed), found.restored, found.kept) == (4, [], [])
        undo(job.pk, found.stamp, somebody, LATER)
        assert not Question.objects.exists()
        assert not Family.objects.exists()
        assert not ImportedItem.objects.exists()
        job.refresh_from_db()
        assert (job.state, job.undone_by, job.undone) == (
            JobState.UNDONE, somebody, {"removed": 4, "restored": 0, "kept": 0},
        )  # fmt: skip
        assert imported(exam, [draft(1), *variants()], somebody).counts == {NEW: 4}

    def test_everything_that_an_undo_leaves_is_listed_with_a_reason(self, exam: Exam, somebody: User) -> None:
        job = imported(exam, [draft(n) for n in range(1, 7)])
        rows = {row.key: row for row in Question.objects.all()}
        publish(rows["q1"], LATER, Change.FIRST)
        desk.keep(rows["q2"].pk, changed(draft_of(rows["q2"]), title="Mine"), 0, somebody, LATER)
        desk.submit(rows["q3"].pk, 0, somebody, LATER)
        desk.comment(rows["q4"].pk, somebody, LATER, "Good one.")
        again = imported(exam, [changed(draft(5), title="Newer")], now=LATER)
        assert why(undoing(job)) == {"q1": PUBLISHED, "q2": EDITED, "q3": REVIEW, "q4": DISCUSSED, "q5": EDITED}
        assert why(undoing(again)) == {"q5": OVERWROTE}
        undo(job.pk, undoing(job).stamp, somebody, LATER)
        assert sorted(Question.objects.values_list("key", flat=True)) == ["q1", "q2", "q3", "q4", "q5"]
        with pytest.raises(NotNow) as refused:
            undo(again.pk, undoing(again).stamp, somebody, LATER)
        assert refused.value.code == "import-changed"

    def test_a_family_is_removed_or_kept_as_a_whole(self, exam: Exam, somebody: User) -> None:
        job = imported(exam, variants())
        row = Question.objects.get(key=variants()[1].key)
        desk.comment(row.pk, somebody, LATER, "Hm.")
        assert sorted(why(undoing(job)).values()) == [DISCUSSED, FAMILY, FAMILY]

    def test_undoing_a_revision_restores_the_live_text_to_the_desk(self, exam: Exam, somebody: User) -> None:
        live(exam, draft(1), *variants())
        newer = [changed(each, title="Renamed") for each in (draft(1), *variants()[:2])]
        job = imported(exam, newer, somebody, choice=Choice(UPDATE))
        assert job.counts == {REVISED: 3}
        assert set(Question.objects.values_list("desk", flat=True)) == {Desk.DRAFT}
        undo(job.pk, undoing(job).stamp, somebody, LATER)
        assert {row.title for row in Question.objects.all()} == {each.title for each in (draft(1), *variants())}
        assert set(Question.objects.values_list("desk", flat=True)) == {Desk.NOTHING}
        assert ImportJob.objects.get().undone == {"removed": 0, "restored": 3, "kept": 0}

    def test_a_revision_over_another_persons_draft_is_not_undone(self, exam: Exam, somebody: User) -> None:
        (row,) = live(exam, draft(1))
        desk.keep(row.pk, changed(draft(1), title="Being written"), 0, somebody, NOW)
        job = imported(exam, [changed(draft(1), title="Renamed")], somebody, choice=Choice(UPDATE))
        assert why(undoing(job)) == {"q1": OVERWROTE}

    def test_a_stale_preview_undoes_nothing(self, exam: Exam, somebody: User) -> None:
        job = imported(exam, [draft(1), draft(2)])
        stamp = undoing(job).stamp
        row = Question.objects.get(key="q1")
        desk.keep(row.pk, changed(draft_of(row), title="Mine"), 0, somebody, LATER)
        with pytest.raises(NotNow):
            undo(job.pk, stamp, somebody, LATER)
        assert Question.objects.count() == 2

    def test_if_one_part_fails_nothing_is_undone(
        self, exam: Exam, somebody: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        live(exam, draft(9))
        job = imported(exam, [draft(1), changed(draft(9), title="Renamed")], somebody, choice=Choice(UPDATE))

        def failing(*args: Any) -> None:
            raise RuntimeError

        monkeypatch.setattr(undoing_acts, "discard", failing)
        with pytest.raises(RuntimeError):
            undo(job.pk, undoing(job).stamp, somebody, LATER)
        assert Question.objects.count() == 2
        assert ImportJob.objects.get().state == JobState.DONE

    def test_an_import_is_undone_once_and_not_while_it_runs(self, exam: Exam, somebody: User) -> None:
        job = imported(exam, [draft(1)])
        stamp = undoing(job).stamp
        undo(job.pk, stamp, somebody, LATER)
        with pytest.raises(NotNow) as refused:
            undo(job.pk, stamp, somebody, LATER)
        assert refused.value.code == "import-undone"
        running = begin_job(Upload(b"x", "y", "yaml", exam), None, NOW)
        with pytest.raises(NotNow) as refused:
            undo(running.pk, stamp, somebody, LATER)
        assert refused.value.code == "import-running"

    def test_the_statement_count_of_the_preview_does_not_grow_with_the_batch(
        self, exam: Exam, django_assert_num_queries: Any
    ) -> None:
        few, many = imported(exam, [draft(1)]), imported(exam, [draft(n) for n in range(2, 40)])
        for job in (few, many):
            with django_assert_num_queries(1):
                assert undoing(job).removed


class TestPages:
    @pytest.fixture(autouse=True)
    def _setup(self, exam: Exam) -> None:
        cache.clear()
        self.exam = exam
        self.client = client_of("Editors")

    def test_the_page_undoes_an_import_entirely(self) -> None:
        kept = send(self.client, FIRST.encode(), "lamps.gift", keep="1")
        page = self.client.get(kept["location"])
        assert states(page) == ["done"]
        assert values(page, "data-left") == [Left.MADE] * 2
        job = ImportJob.objects.get()
        listed = self.client.get(reverse("admin:questions_importjob_changelist")).text
        assert reverse("admin:questions_import_job", args=[job.pk]) in listed
        assert f">{title_of(job.format)}<" in listed
        assert f">{job.format}<" not in listed
        address = reverse("admin:questions_import_undo", args=[job.pk])
        assert address in page.text
        asked = self.client.get(address)
        assert [values(asked, f"data-{name}") for name in ("removed", "restored", "kept")] == [["2"], ["0"], ["0"]]
        assert Question.objects.count() == 2
        done = self.client.post(address, {"stamp": asked.context["undoing"].stamp})
        assert not Question.objects.exists()
        page = self.client.get(done["location"])
        assert (states(page), values(page, "data-undone")) == (["undone"], ["2"])

    def test_a_stale_stamp_shows_a_new_preview(self) -> None:
        send(self.client, FIRST.encode(), "lamps.gift", keep="1")
        address = reverse("admin:questions_import_undo", args=[ImportJob.objects.get().pk])
        assert self.client.post(address, {"stamp": "old"})["location"] == address
        assert Question.objects.count() == 2

    def test_the_statement_count_of_the_page_does_not_grow_with_the_batch(
        self, django_assert_max_num_queries: Any
    ) -> None:
        few, many = imported(self.exam, [draft(1)]), imported(self.exam, [draft(n) for n in range(2, 40)])
        for job in (few, many):
            with django_assert_max_num_queries(10):
                page = self.client.get(reverse("admin:questions_import_job", args=[job.pk]))
        assert len(values(page, "data-left")) == 38

    def test_the_page_names_file_person_time_format_and_tags_and_links_to_each_draft(self) -> None:
        live(self.exam, draft(9))
        edith = User.objects.get(email="editors@example.com")
        texts = [changed(draft(1), concepts=("c1", "c2")), draft(2), changed(draft(9), title="Renamed")]
        job = imported(self.exam, texts, edith, choice=Choice(UPDATE))
        address = reverse("admin:questions_import_job", args=[job.pk])
        page = parsed(self.client.get(address))
        shown = {name: page.select_one(f"[data-{name}]").text for name in ("source", "by", "made", "format")}
        assert shown == {
            "source": "set.yaml", "by": edith.get_full_name(), "made": date_format(NOW, "j F Y, H:i"),
            "format": format_named("yaml").title,
        }  # fmt: skip
        assert {each["data-tag"]: each["data-number"] for each in page.select("[data-tag]")} == {"c1": "3", "c2": "1"}
        rows = {row.select("td")[1].text.strip(): row for row in page.select("tr[data-left]")}
        assert {name: row["data-left"] for name, row in rows.items()} == {
            "Situation 1": Left.MADE, "Situation 2": Left.MADE, "Renamed": Left.REVISED,
        }  # fmt: skip
        assert rows["Situation 1"].select("td")[-1].text == "c1, c2"
        for row in rows.values():
            for link in row.select("a"):
                assert self.client.get(link["href"]).status_code == 200
        assert [len(row.select("a")) for row in rows.values()] == [1, 1, 2]
        edith.delete()
        assert parsed(client_of("Reviewers").get(address)).select_one("[data-by]").text == "–"  # noqa: RUF001

    def test_the_list_can_be_filtered_by_an_imports_questions(self) -> None:
        first, second = imported(self.exam, [draft(1), draft(2)]), imported(self.exam, [draft(3)])
        page = self.client.get(reverse("admin:questions_import_job", args=[first.pk]))
        found = self.client.get(parsed(page).select_one("[data-link=batch]")["href"])
        assert {row.key for row in found.context["cl"].result_list} == {"q1", "q2"}
        assert batches_offered(found) == [str(first.pk)]
        of_exam = self.client.get(LIST, {"exam__id__exact": self.exam.pk})
        assert batches_offered(of_exam) == [str(second.pk), str(first.pk)]
        assert batches_offered(self.client.get(LIST)) == []
        assert not self.client.get(LIST, {"batch": "x"}).context["cl"].result_list

    @pytest.mark.parametrize("name", ["questions_import_job", "questions_import_undo"])
    def test_only_editors_see_an_import(self, name: str) -> None:
        address = reverse(f"admin:{name}", args=[imported(self.exam, [draft(1)]).pk])
        assert client_of("Moderators").get(address).status_code == 403
        assert Client().get(address).status_code == 302
        assert self.client.get(reverse(f"admin:{name}", args=[9999])).status_code == 404

    def test_a_running_imports_page_is_updated_by_script_or_by_a_link_without_it(self) -> None:
        job = begin_job(Upload(b"x", "y", "yaml", self.exam), None, NOW)
        address = reverse("admin:questions_import_job", args=[job.pk])
        shown = parsed(self.client.get(address))
        assert shown.select_one("#running[data-again]")
        assert shown.select_one(f'#content-main a[href="{address}"]')
        assert not shown.select("meta[http-equiv=refresh]"), "it would take the reader's place away"
        ImportJob.objects.update(state=JobState.DONE)
        assert not parsed(self.client.get(address)).select("#running, script[src*=running]")

    def test_items_that_the_import_left_alone_are_listed(self) -> None:
        live(self.exam, draft(1))
        job = imported(self.exam, [changed(draft(1), title="Renamed")])
        page = self.client.get(reverse("admin:questions_import_job", args=[job.pk]))
        assert job.counts == {LEFT_ALONE: 1}
        assert "q1" in page.text
        assert not BatchEntry.objects.exists()
