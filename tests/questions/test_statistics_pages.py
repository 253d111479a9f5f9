"""Check who may see the admin's pages of item statistics, what they say and how few statements they take."""

from __future__ import annotations

import datetime as dt
import html
import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseiva.accounts.models import User
from courseiva.common.masks import mask_of, slots_of
from practice.measurement.statistics.rules import RankedAnswers, rest_counts
from questions.models import (
    REST_BINS,
    SECONDS_BINS,
    Blueprint,
    BlueprintDomain,
    Change,
    Domain,
    Exam,
    ItemHealth,
    OptionStatistics,
    Question,
    QuestionVersion,
    VersionStatistics,
)
from questions.versions.statistics.health.rules import AT_MOST, option_curve
from questions.versions.statistics.reads.coverage import bank_coverage
from questions.versions.statistics.reads.figures import question_statistics, radar
from questions.versions.statistics.reads.picture import exam_picture
from questions.versions.statistics.rules import Flag
from tests.questions.test_pages_question import second_version
from tests.support.bank import NOW, WEIGHTS_2026, add_questions, draft, make_exam, publish_all
from tests.support.hooks import figures, parsed, states

pytestmark = pytest.mark.django_db

RADAR, COVERAGE, LIST, PICTURES = (
    f"admin:questions_versionstatistics_{name}" for name in ("radar", "coverage", "changelist", "pictures")
)
# Two of these look up who is signed in, and two what that person may do.
STATEMENTS = {"radar": 7, "coverage": 9, "question": 9, "list": 10, "picture": 8}


def person(name: str, *permissions: str, **fields: bool) -> Client:
    user = User.objects.create_user(f"{name}@example.org", "a long enough password", **fields)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def alice() -> Client:
    """Return the client of a learner who has the permission but isn't staff."""
    return person("alice", "view_versionstatistics")


@pytest.fixture
def bob() -> Client:
    """Return the client of a member of staff who has other permissions but may not view statistics."""
    return person("bob", "change_question", is_staff=True)


@pytest.fixture
def charlie() -> Client:
    """Return the client of a member of staff who may view statistics."""
    return person("charlie", "view_versionstatistics", is_staff=True)


def measure(versions: Iterable[QuestionVersion], truth: dict[int, int], learners: int = 120, seed: int = 3) -> None:
    """Store counts of simulated first exposures; ``truth`` maps a version to the option that able learners choose.

    Learners are ranked by their true ability.
    """
    rng = np.random.default_rng(seed)
    for version in versions:
        key = slots_of(version.solution.key_mask)
        slots = [option["slot"] for option in version.options]
        best = {truth[version.pk]} if version.pk in truth else set(key)
        ability = rng.standard_normal(learners)
        chosen = []
        for knows in rng.random(learners) < 1 / (1 + np.exp(-1.5 * ability - 0.5)):
            others = rng.permutation([slot for slot in slots if slot not in best])
            chosen.append(tuple(sorted(best if knows else {int(slot) for slot in others[: len(key)]})))
        store(version.pk, chosen, key, ability, rng.integers(20, 200, learners))


def store(
    pk: int, chosen: Sequence[tuple[int, ...]], key: tuple[int, ...], ability: np.ndarray, seconds: np.ndarray
) -> None:
    """Store these answers to a version in place of its old ones."""
    right = np.array([slots == key for slots in chosen], bool)
    masks = np.array([mask_of(slots) for slots in chosen], np.int64)
    rank = np.array([0.5 * (1 + math.erf(each / math.sqrt(2))) for each in ability])
    ranked = RankedAnswers(np.zeros(len(right), np.int32), right, masks, rank, 1)
    rests = vars(rest_counts(ranked, REST_BINS)[0])
    options = rests.pop("options")
    times = np.bincount(np.searchsorted(SECONDS_BINS, seconds), minlength=len(SECONDS_BINS) + 1).tolist()
    counts = {"n": len(right), "right": int(right.sum()), "by_seconds": times, **rests}
    VersionStatistics.objects.update_or_create(version_id=pk, defaults=counts)
    OptionStatistics.objects.filter(version_id=pk).delete()
    for slot, option in options.items():
        OptionStatistics.objects.create(version_id=pk, slot=slot, n=option["rest_n"], **option)


def text_of(client: Client, address: str) -> str:
    """Return a page's text on one line."""
    response = client.get(address)
    assert response.status_code == 200
    main = response.content.decode().split('id="content-start"')[1]
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", main))).replace(" ,", ",").replace(" ;", ";")


def states_of(client: Client, address: str) -> list[str]:
    return states(client.get(address))


def scope_of_radar(client: Client) -> str:
    return parsed(client.get(reverse(RADAR))).select_one("#scope").text


def page_of(question_id: int) -> str:
    return reverse("admin:questions_versionstatistics_question", args=[question_id])


def picture_of(slug: str = "pmle") -> str:
    return reverse("admin:questions_versionstatistics_picture", args=[slug])


def measure_health(version: QuestionVersion, **facts: object) -> None:
    """Store how a question did in two quarters."""
    usual = {
        "n": 120, "squares": 26.0, "weight": 25.0, "spread": 2.0, "met_by": 150, "learners": 200, "information": 0.2,
        "information_error": 0.05, "quarters": [[2026, 1, 90, 60, 40, 0.5, 12.0], [2026, 2, 70, 60, 39, -0.5, 12.0]],
    }  # fmt: skip
    ItemHealth.objects.create(version=version, **usual | facts)


def called_of(page: BeautifulSoup) -> dict[str, str]:
    """Return the state of each figure, which is few, flagged or empty."""
    rows = page.select("[data-health] tr[data-figure]")
    return {
        row["data-figure"]: state["data-state"] if (state := row.select_one("[data-state]")) else "" for row in rows
    }


def statements(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


@pytest.mark.parametrize("number", ["1.5", "x", "0", "99999999999999999999"])
def test_an_unknown_version_is_not_found(admin_client, number):
    assert admin_client.get(reverse(LIST) + f"{number}/change/").status_code == 404


class TestPermissions:
    @pytest.fixture
    def addresses(self) -> list[str]:
        version = add_questions(make_exam(), 1)[0]
        measure([version], {}, learners=10)
        change = reverse("admin:questions_versionstatistics_change", args=[version.pk])
        return [reverse(RADAR), reverse(COVERAGE), reverse(LIST), page_of(version.question_id), picture_of(), change]

    def test_a_learner_is_sent_to_sign_in_whatever_their_permissions(self, alice, addresses):
        for client in (alice, Client()):
            answers = [client.get(address) for address in addresses]
            assert [answer.status_code for answer in answers] == [302] * 6
            assert all(answer.headers["Location"].startswith("/admin/login/") for answer in answers)

    def test_staff_without_the_permission_are_refused_and_see_no_link(self, bob, addresses):
        assert [bob.get(address).status_code for address in addresses] == [403] * 6
        assert addresses[0] not in bob.get(reverse("admin:index")).content.decode()

    def test_staff_with_the_permission_reach_all_pages_from_the_index_and_change_nothing(self, charlie, addresses):
        index = charlie.get(reverse("admin:index")).content.decode()
        assert all(f'href="{address}"' in index for address in addresses[:3])
        assert [charlie.get(address).status_code for address in addresses] == [200] * 5 + [302]
        assert charlie.get(addresses[5]).headers["Location"] == addresses[3]
        before = list(VersionStatistics.objects.values())
        pk = before[0]["version_id"]
        for name, args in (("add", []), ("delete", [pk])):
            address = reverse(f"admin:questions_versionstatistics_{name}", args=args)
            assert charlie.post(address, {"post": "yes"}).status_code == 403
        charlie.post(addresses[5], {"n": "99"})
        assert list(VersionStatistics.objects.values()) == before

    def test_the_pages_have_no_inline_script_or_style(self, charlie, addresses):
        for address in addresses[:5]:
            page = charlie.get(address).content.decode()
            assert not re.search(r"<style|\sstyle=|<script(?![^>]*\bsrc=)|\son\w+=", page), address


class TestEmpty:
    def test_without_any_exam_each_page_says_what_is_missing(self, charlie):
        assert states_of(charlie, reverse(RADAR)) == ["empty"]
        assert states_of(charlie, reverse(COVERAGE)) == ["empty"]
        assert states_of(charlie, reverse(LIST)) == ["unanswered"]
        assert charlie.get(page_of(1)).status_code == 404

    def test_before_the_first_answers_each_page_says_so(self, charlie):
        exam = make_exam()
        assert states_of(charlie, reverse(COVERAGE)) == ["unpublished"]
        version = add_questions(exam, 1)[0]
        assert states_of(charlie, page_of(version.question_id)) == ["unanswered"]
        assert states_of(charlie, reverse(RADAR)) == ["too-early"]
        assert figures(scope_of_radar(charlie))[-3:] == [0, 6, 50]

    def test_a_reversed_count_leaves_no_figures(self, charlie):
        version = add_questions(make_exam(), 1)[0]
        store(version.pk, [], (1,), np.empty(0), np.empty(0))
        assert states_of(charlie, page_of(version.question_id)) == ["unanswered"]
        assert charlie.get(reverse(LIST)).status_code == 200

    def test_a_draft_and_an_exam_guide_without_domains_cause_no_error(self, charlie):
        version = add_questions(make_exam(), 1)[0]
        blank = Exam.objects.create(slug="blank", code="BLANK", name="Blank", vendor="V", guide_url="https://e.example")
        facts = {"exam": blank, "effective_from": dt.date(2026, 1, 1), "question_count": 5, "minutes": 5}
        Blueprint.objects.create(key="g", name="Bare guide", pass_mark=70, **facts)
        Question.objects.filter(pk=version.question_id).update(live_version=None)
        version.hint.delete()
        version.solution.delete()
        version.delete()
        assert states_of(charlie, page_of(version.question_id)) == ["unpublished"]
        sections = parsed(charlie.get(reverse(COVERAGE))).select("section")
        assert {section.h2.text.split(":")[0]: states(str(section)) for section in sections} == {
            "PMLE": ["mocks"], "BLANK": ["no-domains"],
        }  # fmt: skip


class TestRadar:
    @pytest.fixture
    def versions(self) -> list[QuestionVersion]:
        return add_questions(make_exam(), 2)

    def test_the_planted_miskey_is_found_and_a_sound_question_is_not(self, charlie, versions):
        measure(versions, {versions[4].pk: 3})
        found = radar()
        assert [(line.version.pk, line.option.figures.slot) for line in found.lines] == [(versions[4].pk, 3)]
        assert (found.judged, found.live) == (12, 12)
        page = text_of(charlie, reverse(RADAR))
        assert ": Situation 5" in page
        assert "Situation 4" not in page
        assert Flag.MISKEY.value in text_of(charlie, page_of(versions[4].question_id))
        assert Flag.MISKEY.value in text_of(charlie, reverse(LIST))

    def test_in_an_option_code_is_shown_as_code_and_a_tag_as_text(self, charlie, versions):
        options = versions[4].options
        options[2]["text"] = "Run `gcloud <name>` & <b>wait</b>"
        QuestionVersion.objects.filter(pk=versions[4].pk).update(options=options)
        measure(versions, {versions[4].pk: 3})
        for address in (reverse(RADAR), page_of(versions[4].question_id)):
            [cell] = [each for each in parsed(charlie.get(address)).select(".words") if "gcloud" in each.text]
            assert [code.text for code in cell.select("code")] == ["gcloud <name>"]
            assert "`" not in cell.text
            assert "<b>wait</b>" in cell.text

    def test_the_radar_lists_stronger_evidence_first(self, versions):
        measure([versions[0]], {versions[0].pk: 2}, learners=60)
        measure([versions[1]], {versions[1].pk: 2}, learners=400)
        lines = radar().lines
        assert [line.version.pk for line in lines] == [versions[1].pk, versions[0].pk]
        assert lines[0].evidence > lines[1].evidence > 0

    def test_the_radar_says_so_if_no_question_is_suspect(self, charlie, versions):
        measure(versions[:2], {})
        assert states_of(charlie, reverse(RADAR)) == ["none"]
        assert figures(scope_of_radar(charlie))[-3:-1] == [2, 12]

    def test_retired_and_replaced_versions_are_left_out_and_withdrawn_and_reworded_ones_stay(self, charlie, versions):
        measure(versions[:4], {version.pk: 3 for version in versions[:4]})
        Question.objects.filter(pk=versions[0].question_id).update(retired_at=NOW)
        Question.objects.filter(pk=versions[1].question_id).update(withdrawn_at=NOW)
        second_version(versions[2].question, change=Change.KEY)
        second_version(versions[3].question, measured_as=versions[3])
        assert {line.version.pk for line in radar().lines} == {versions[1].pk, versions[3].pk}
        assert "(withdrawn)" in text_of(charlie, reverse(RADAR))


class TestQuestion:
    def test_rewordings_share_their_counts_and_a_different_key_has_its_own(self, charlie):
        first = add_questions(make_exam(), 1)[0]
        measure([first], {})
        second_version(first.question, measured_as=first)
        third = second_version(Question.objects.get(pk=first.question_id), change=Change.KEY, measured_as=None)
        page = question_statistics(first.question_id)
        assert [[version.number for version in group.versions] for group in page.measured] == [[3], [2, 1]]
        assert [group.is_live for group in page.measured] == [True, False]
        assert page.measured[0].figures is None
        assert page.measured[1].figures.n == 120
        shown = parsed(charlie.get(page_of(first.question_id))).select(".figures > section")
        assert [(figures(section.h2.text), states(str(section))) for section in shown] == [
            ([3], ["unanswered"]), ([2, 1], ["wordings", "unmeasured"]),
        ]  # fmt: skip
        measure([third], {}, learners=60)
        assert question_statistics(first.question_id).measured[0].figures.n == 60

    def test_the_page_shows_options_by_third_the_key_the_time_and_what_the_figures_mean(self, charlie):
        version = add_questions(make_exam(), 1, kind="multiple")[0]
        measure([version], {})
        shown = parsed(charlie.get(page_of(version.question_id)))
        counted = question_statistics(version.question_id).measured[0].figures
        cells = [cell.text for cell in shown.select(".figures-summary td")]
        assert figures(cells[0]) == [120, counted.rest_n]
        assert figures(cells[1])[-1] == 10
        assert re.fullmatch(r"\d+ s", cells[3].strip())
        assert len(shown.select("#content-main table")) == 3
        assert shown.select("#meaning")
        shares = [third.right for third in counted.thirds]
        assert shares == sorted(shares)

    def test_the_list_sorts_by_facility_and_finds_by_title(self, charlie):
        measure(add_questions(make_exam(), 1), {})
        assert charlie.get(reverse(LIST) + "?o=3").status_code == 200
        found = text_of(charlie, reverse(LIST) + "?q=Situation+2")
        assert "Situation 2" in found
        assert "Situation 3" not in found


class TestHealth:
    @pytest.fixture
    def version(self) -> QuestionVersion:
        version = add_questions(make_exam(), 1)[0]
        measure([version], {})
        return version

    def test_the_page_says_so_before_the_first_nightly_run(self, charlie, version):
        assert "unmeasured" in states_of(charlie, page_of(version.question_id))

    def test_each_figure_has_its_number_of_answers_and_false_alarm_rate(self, charlie, version):
        measure_health(version, n=110)
        page = parsed(charlie.get(page_of(version.question_id)))
        assert called_of(page) == dict.fromkeys(("discrimination", "fit", "drift", "information", "exposure"), "")
        cells = {row["data-figure"]: row.select("td") for row in page.select("[data-health] tr[data-figure]")}
        assert {name: figures(cells[name][1].text) for name in AT_MOST} == {
            "discrimination": [120], "fit": [110], "drift": [120], "information": [110],
        }  # fmt: skip
        assert [figures(cells[name][3].text) for name in AT_MOST] == [[round(100 * most)] for most in AT_MOST.values()]
        assert figures(cells["exposure"][2].text) == [150, 200]
        quarters = page.select("[data-quarters] tbody tr")
        assert [row.th.text.split() for row in quarters] == [["Q1", "2026"], ["Q2", "2026"]]

    def test_outliers_are_flagged_and_small_samples_greyed(self, charlie, version):
        quarters = [[2026, 1, 90, 60, 20, -9.0, 12.0], [2026, 2, 70, 60, 50, 9.0, 12.0], [2026, 3, 9, 5, 5, 1.0, 1.0]]
        measure_health(version, squares=32.0, information=0.01, information_error=0.01, quarters=quarters)
        page = parsed(charlie.get(page_of(version.question_id)))
        assert [name for name, state in called_of(page).items() if state == "called"] == ["fit", "drift", "information"]
        assert [bool(row.get("class")) for row in page.select("[data-quarters] tbody tr")] == [False, False, True]
        ItemHealth.objects.all().delete()
        measure([version], {}, learners=30)
        measure_health(version, n=30, squares=32.0, information=0.01, quarters=quarters[:1])
        page = parsed(charlie.get(page_of(version.question_id)))
        few = ["discrimination", "fit", "drift", "information"]
        assert [name for name, state in called_of(page).items() if state == "few"] == few
        assert [row["data-figure"] for row in page.select("tr.is-few[data-figure]")] == few
        assert page.select_one("figure.curves.is-few")

    def test_the_curves_are_drawn_with_their_figures_beside_them(self, charlie, version):
        page = parsed(charlie.get(page_of(version.question_id)))
        curves = question_statistics(version.question_id).measured[0].curves
        assert [option.letter for option in curves.options] == ["A", "B", "C", "D"]
        assert [option.is_key for option in curves.options] == [True, False, False, False]
        assert len(page.select("svg polyline")) == len(curves.drawn) == 4
        assert len(page.select("svg polyline.is-key")) == 1
        key = [point.share for point in curves.options[0].points]
        assert key[0] < key[2] < key[4]
        for place, point in enumerate(curves.of_points):
            assert sum(option.points[place].share for option in curves.options) == pytest.approx(1)
            assert point.n == sum(n for n, _ in VersionStatistics.objects.get().by_rest[2 * place : 2 * place + 2])
        heads = page.select("[data-curves] thead th .help")
        assert [figures(head.text) for head in heads] == [[point.n] for point in curves.of_points]
        rows = page.select("[data-curves] tbody tr")
        assert [figures(cell.text)[0] for cell in rows[0].select("td")] == [round(100 * share) for share in key]
        letters = sorted(option.letter_y for option in curves.options)
        assert all(later - earlier >= 6.9 for earlier, later in pairwise(letters))

    def test_a_point_of_fewer_than_five_answers_is_not_drawn(self):
        points = option_curve([1, 0, 3, 0, 0, 0, 0, 0, 2, 2], [2, 2, 4, 2, 0, 0, 5, 0, 4, 4])
        assert [(point.n, point.share) for point in points] == [(4, None), (6, 0.5), (0, None), (5, 0.0), (8, 0.5)]


class TestPicture:
    def test_each_point_links_to_its_question_and_is_in_the_table(self, charlie):
        versions = add_questions(make_exam(), 1)
        measure(versions[:3], {versions[0].pk: 3})
        measure([versions[3]], {}, learners=20)
        Question.objects.filter(pk=versions[4].question_id).update(number=None)
        measure([versions[4]], {})
        answer = charlie.get(picture_of())
        assert "{%" not in answer.text
        page = parsed(answer)
        links = page.select("svg a.plot-point")
        addresses = [page_of(version.question_id) for version in versions[:5]]
        assert [link["href"] for link in links] == addresses
        assert all(link["aria-label"] and link.title.text for link in links)
        assert ["is-few" in link["class"] for link in links] == [False, False, False, True, False]
        assert ["is-flagged" in link["class"] for link in links] == [True, False, False, False, False]
        assert [row.a["href"] for row in page.select("[data-points] tbody tr")] == addresses
        assert figures(page.select_one("#scope").text)[:2] == [5, 1]

    def test_a_point_is_drawn_at_its_figures(self):
        versions = add_questions(make_exam(), 1)
        measure(versions, {})
        for point in exam_picture("pmle").points:
            assert point.x == pytest.approx(100 * point.figures.facility, abs=0.01)
            assert point.y == pytest.approx(100 * (0.8 - point.figures.discrimination) / 1.2, abs=0.01)

    def test_a_basic_question_is_not_listed_as_waiting(self):
        versions = add_questions(make_exam(), 1)
        QuestionVersion.objects.filter(pk=versions[0].pk).update(is_basic=True)
        assert exam_picture("pmle").undrawn == len(versions) - 1

    def test_the_page_says_so_if_there_are_no_answers_or_no_exam(self, charlie):
        assert charlie.get(reverse(PICTURES)).status_code == 404
        make_exam()
        make_exam("second")
        assert charlie.get(picture_of("nothing")).status_code == 404
        assert states_of(charlie, reverse(PICTURES)) == ["unanswered"]
        page = parsed(charlie.get(picture_of("second")))
        assert [link["href"] for link in page.select("#content-main li a")] == [picture_of(), picture_of("second")]


class TestCoverage:
    def test_the_table_counts_by_domain_difficulty_and_pool(self):
        exam = make_exam()
        domains = {domain.key: domain for domain in Domain.objects.filter(exam=exam)}
        add_questions(exam, 2)
        hard = [(domains["d3"], draft(90, "d3", "reserved"))]
        publish_all(exam, hard)
        QuestionVersion.objects.filter(question__key="q90").update(difficulty="hard")
        coverage = bank_coverage()[0]
        assert coverage.usable == 13
        rows = coverage.blueprints[0].domains
        assert [row.need for row in rows] == [8, 9, 12, 12, 11, 8]
        assert [tuple(row.open.by_difficulty) for row in rows] == [(0, 2, 0)] * 6
        assert [row.reserved.total for row in rows] == [0, 0, 1, 0, 0, 0]
        assert tuple(rows[2].reserved.by_difficulty) == (0, 0, 1)

    def test_the_page_shows_how_many_unseen_mocks_there_are_and_what_one_more_needs(self, charlie):
        exam = make_exam()
        add_questions(exam, 12, "reserved")
        add_questions(exam, 12)
        add_questions(exam, 8, "reserved", domains=("d3",))
        blueprint = bank_coverage()[0].blueprints[0]
        assert (blueprint.reserved.count, blueprint.both.count) == (1, 2)
        assert blueprint.reserved.missing == [(1, 4), (2, 6), (3, 4), (4, 12), (5, 10), (6, 4)]
        assert blueprint.both.missing == [(2, 3), (3, 4), (4, 12), (5, 9)]
        assert [row.reserved_mocks for row in blueprint.domains] == [1, 1, 1, 1, 1, 1]
        assert [row.all_mocks for row in blueprint.domains] == [3, 2, 2, 2, 2, 3]
        shown = parsed(charlie.get(reverse(COVERAGE)))
        assert [int(count.text) for count in shown.select("[data-state=mocks] strong")] == [1, 2]
        assert figures(shown.select("section li")[0].text)[:4] == [4, 1, 6, 2]

    def test_withdrawn_and_retired_questions_are_not_counted_and_other_domains_are_named(self, charlie):
        exam = make_exam()
        versions = add_questions(exam, 2)
        Question.objects.filter(pk=versions[0].question_id).update(withdrawn_at=NOW)
        Question.objects.filter(pk=versions[2].question_id).update(retired_at=NOW)
        BlueprintDomain.objects.filter(domain__number=6).delete()
        coverage = bank_coverage()[0]
        assert (coverage.usable, coverage.blueprints[0].elsewhere) == (10, 2)
        assert figures(parsed(charlie.get(reverse(COVERAGE))).select_one("[data-state=elsewhere]").text) == [2]

    def test_a_mock_takes_nothing_from_a_domain_without_a_weight(self):
        exam = make_exam()
        add_questions(exam, 1)
        BlueprintDomain.objects.filter(domain__number=1).update(weight=Decimal(0))
        first = bank_coverage()[0].blueprints[0].domains[0]
        assert (first.need, first.reserved_mocks, first.all_mocks) == (0, None, None)

    def test_the_newest_guide_comes_first(self):
        exam = make_exam()
        blueprint = Blueprint.objects.create(
            exam=exam, key="next", name="Next guide", effective_from=dt.date(2027, 1, 1), question_count=50,
            minutes=100, pass_mark=70,
        )  # fmt: skip
        for domain, weight in zip(Domain.objects.filter(exam=exam), WEIGHTS_2026, strict=True):
            BlueprintDomain.objects.create(blueprint=blueprint, domain=domain, name=domain.key, weight=weight)
        blueprints = bank_coverage()[0].blueprints
        assert [coverage.blueprint.name for coverage in blueprints] == ["Next guide", "June 2026 guide"]
        assert [row.need for row in blueprints[0].domains] == [7, 8, 10, 10, 9, 6]


def test_the_statement_count_does_not_depend_on_the_amount_of_data(charlie):
    exam = make_exam(weights=(50, 50))
    versions = add_questions(exam, 3)
    measure(versions[:1], {versions[0].pk: 3})
    names = {"radar": reverse(RADAR), "coverage": reverse(COVERAGE), "list": reverse(LIST)}
    names |= {"question": page_of(versions[0].question_id), "picture": picture_of()}
    with_one = {name: statements(charlie, address) for name, address in names.items()}
    measure(versions, {version.pk: 3 for version in versions})
    second = second_version(versions[0].question, change=Change.KEY)
    third = second_version(Question.objects.get(pk=second.question_id), change=Change.KEY)
    measure([second, third], {})
    add_questions(make_exam("second"), 3)
    with_more = {name: statements(charlie, address) for name, address in names.items()}
    assert with_one == with_more == STATEMENTS
