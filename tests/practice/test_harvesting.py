"""Anyone can become a guest, so guests get only a share of the reserved pool, and each network has a daily limit."""

import datetime as dt

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from courseiva.serving.views.metrics import metrics
from practice.learners.note_network import note_guest
from practice.learners.reads.identity import Owner
from practice.learners.reads.networks import UNKNOWN, key_of_address, network_of, prefix_of
from practice.models import GuestAct, GuestNetwork, Mode, PracticeSession
from practice.sessions.ending.finish import finish
from practice.sessions.errors import ReservedUsedUp
from practice.sessions.player.save import claim, save
from practice.start.begin import MockChoice, start_mock
from practice.start.rationing.ration import purge_networks
from practice.start.rationing.reads import FLAG_GUESTS_AN_HOUR, flagged_networks, watched_networks
from practice.start.reads.picking import guest_share
from questions.models import Pool, QuestionVersion
from tests.bench import harvest
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.sessions import batch, begin_mock, guest, read_through, seconds, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
SAME_SITE = {"HTTP_SEC_FETCH_SITE": "same-origin"}
LIMIT = 2
DAY = dt.timedelta(days=1)
HOME, NEIGHBOUR, ELSEWHERE = "203.0.113.7", "203.0.113.200", "198.51.100.1"


@pytest.fixture(autouse=True)
def _limits(settings):
    settings.GUEST_MOCKS_A_DAY, settings.ACCOUNT_MOCKS_A_DAY = LIMIT, 4


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 6, pool="reserved")
    add_questions(exam, 6)
    return exam


def start(client, **fields):
    fields = {"blueprint": "june-2026", "count": "10", "time_factor": "1", "conditions": "exam"} | fields
    return client.post(reverse("mock", args=["pmle"]), fields, **SAME_SITE)


def new_guest(address=HOME):
    return Client(REMOTE_ADDR=address)


def start_page(client):
    return BeautifulSoup(client.get(reverse("mock", args=["pmle"])).content, "html.parser")


def pools(session):
    return set(session.items.values_list("version__pool", flat=True))


def latest():
    return PracticeSession.objects.filter(mode=Mode.MOCK).latest("pk")


class TestTheNetwork:
    @pytest.mark.parametrize(
        ("address", "prefix"),
        [
            ("203.0.113.7", "203.0.113.0/24"),
            ("::ffff:203.0.113.7", "203.0.113.0/24"),
            ("2001:db8:1:23ff::1", "2001:db8:1:2300::/56"),
            ("2001:db8:1:2300:ffff::9", "2001:db8:1:2300::/56"),
            ("2001:db8:1:2400::1", "2001:db8:1:2400::/56"),
            ("nonsense", UNKNOWN),
            ("", UNKNOWN),
        ],
    )
    def test_a_network_is_a_slash_24_of_ipv4_or_a_slash_56_of_ipv6(self, address, prefix):
        assert prefix_of(address) == prefix

    def test_a_network_is_stored_as_a_keyed_hash(self, settings):
        before = key_of_address(HOME)
        assert before == key_of_address(NEIGHBOUR) != key_of_address(ELSEWHERE)
        assert len(before) == 32
        assert "203" not in prefix_of("x") + str(GuestNetwork(key=before))
        settings.SECRET_KEY = "another" * 8
        assert key_of_address(HOME) != before

    def test_all_requests_without_a_readable_address_share_one_network(self):
        asked = RequestFactory().get("/", REMOTE_ADDR="")
        assert network_of(asked) == key_of_address(UNKNOWN)


class TestTheLimit:
    def test_fresh_cookies_get_public_questions_once_the_limit_is_reached(self, exam):
        for n in range(LIMIT):
            assert start(new_guest(f"203.0.113.{n + 1}")).status_code == 302
            assert pools(latest()) == {Pool.RESERVED}
        late = new_guest()
        refused = start(late)
        assert refused.status_code == 400
        assert 'data-pool="public"' in refused.text, "the page that comes back says so before anything starts"
        assert PracticeSession.objects.count() == LIMIT
        assert start(late, pool="public").status_code == 302
        assert pools(latest()) == {Pool.PUBLIC}

    def test_the_start_page_states_the_limit_before_the_start_and_offers_an_account(self, exam):
        assert not start_page(new_guest()).select("[data-pool]")
        for _ in range(LIMIT):
            start(new_guest())
        page = start_page(new_guest())
        (said,) = page.select('form#start [data-pool="public"]')
        back = reverse("mock", args=["pmle"])
        assert {link["href"] for link in said.select("a")} == {
            f"{reverse(name)}?next={back}" for name in ("account_login", "account_signup")
        }
        assert page.select_one('form#start input[name="pool"]')["value"] == "public"
        assert not start_page(new_guest(ELSEWHERE)).select("[data-pool]")

    def test_a_signed_in_learner_of_the_same_network_is_not_counted_with_guests(self, exam):
        for _ in range(LIMIT):
            start(new_guest())
        client = new_guest()
        client.force_login(User.objects.create_user("lena@example.org"))
        assert start(client).status_code == 302
        assert pools(latest()) == {Pool.RESERVED}
        assert GuestAct.objects.filter(session__isnull=False).count() == LIMIT

    def test_losing_the_cache_does_not_reset_the_limit(self, exam):
        for _ in range(LIMIT):
            start(new_guest())
        cache.clear()
        assert start(new_guest()).status_code == 400

    def test_discarding_a_mock_or_clearing_the_guest_does_not_reset_the_limit(self, exam):
        for leave in ("discard", "forget-guest"):
            client = new_guest()
            start(client)
            client.post(reverse(leave, args=[latest().uuid] if leave == "discard" else []))
        assert start(new_guest()).status_code == 400

    def test_the_limit_ends_after_a_day_even_if_public_mocks_were_started(self, exam, clock):
        for _ in range(LIMIT):
            start(new_guest())
        clock.shift(dt.timedelta(hours=23))
        assert start(new_guest(), pool="public").status_code == 302
        clock.shift(dt.timedelta(hours=1, seconds=1))
        assert start(new_guest()).status_code == 302
        assert pools(latest()) == {Pool.RESERVED}

    def test_a_limit_of_0_keeps_reserved_questions_for_accounts(self, exam, settings):
        settings.GUEST_MOCKS_A_DAY = 0
        assert start_page(new_guest()).select('[data-pool="public"]')
        assert start(new_guest()).status_code == 400

    def test_the_draw_keeps_what_the_page_offered_even_past_the_limit(self, exam):
        start(new_guest(), pool="public")
        assert pools(latest()) == {Pool.PUBLIC}
        assert not GuestAct.objects.filter(reserved=True).exists()

    def test_an_account_has_a_higher_limit(self, exam):
        owner = Owner(user_id=User.objects.create_user("lena@example.org").pk)
        for n in range(4):
            finish(begin_mock(owner, exam, now=seconds(n)).uuid, owner, seconds(n))
        blueprint = exam.blueprints.get()
        with pytest.raises(ReservedUsedUp):
            start_mock(owner, blueprint, MockChoice(10), 7, seconds(9))
        public = start_mock(owner, blueprint, MockChoice(10, public_only=True), 7, seconds(9))
        assert pools(public) == {Pool.PUBLIC}
        finish(public.uuid, owner, seconds(10))
        assert start_mock(owner, blueprint, MockChoice(10), 7, NOW + 2 * DAY).is_open

    def test_a_bank_without_public_questions_says_why_there_is_no_mock(self):
        add_questions(make_exam(), 6, pool="reserved")
        for _ in range(LIMIT):
            start(new_guest())
        page = start_page(new_guest())
        assert page.select('.empty [data-pool="public"] a')
        assert not page.select("form#start")


class TestTheGuestsShare:
    @pytest.fixture(autouse=True)
    def _half(self, settings):
        settings.GUEST_POOL_PERCENT, settings.GUEST_MOCKS_A_DAY = 50, 1000

    def drawn(self, exam, guests, now=NOW):
        found = set()
        for n in range(guests):
            session = start_mock(guest()[0], exam.blueprints.get(), MockChoice(16), n, now)
            found |= set(session.items.filter(version__pool=Pool.RESERVED).values_list("version_id", flat=True))
        return found

    def test_every_guest_of_a_month_gets_the_same_half_of_each_domain(self, exam):
        share = set(guest_share(exam, NOW.date()).values_list("pk", flat=True))
        by_domain = QuestionVersion.objects.filter(pk__in=share).values_list("domain_id", flat=True)
        assert sorted(list(by_domain).count(pk) for pk in set(by_domain)) == [3] * 6
        assert self.drawn(exam, 12) == share

    def test_the_share_differs_by_month_and_by_secret_key(self, exam, settings):
        one, other = (set(guest_share(exam, NOW.date() + n * DAY).values_list("pk", flat=True)) for n in (0, 40))
        assert one != other
        settings.SECRET_KEY = "another" * 8
        assert set(guest_share(exam, NOW.date()).values_list("pk", flat=True)) != one

    def test_the_share_is_rounded_up_and_can_be_all_or_nothing(self, exam, settings):
        add_questions(exam, 1, pool="reserved")
        for percent, count in ((0, 0), (1, 6), (50, 24), (100, 42)):
            settings.GUEST_POOL_PERCENT = percent
            assert guest_share(exam, NOW.date()).count() == count

    def test_accounts_get_the_whole_pool(self, exam):
        owner = Owner(user_id=User.objects.create_user("lena@example.org").pk)
        session = begin_mock(owner, exam, count=30)
        assert pools(session) == {Pool.RESERVED}

    def test_the_start_page_explains_the_share(self, exam):
        assert start_page(new_guest()).select_one("form#start .help a[href*=next]")

    @pytest.mark.parametrize("patient", [False, True])
    def test_a_harvester_with_ten_networks_gets_half_the_pool_only_with_patience(self, exam, settings, patient):
        """It uses the site's own write functions and a fresh cookie for each mock, up to the networks' limits."""
        settings.GUEST_MOCKS_A_DAY = 2
        known, now = set(), NOW
        for network in (key_of_address(f"10.0.{n}.1") for n in range(10)):
            for _ in range(settings.GUEST_MOCKS_A_DAY):
                owner, seed = guest()[0], PracticeSession.objects.count()
                session = start_mock(owner, exam.blueprints.get(), MockChoice(16), seed, now, network)
                if patient:
                    now = read_through(session, owner, now)
                else:
                    states = [state(n, 1, 0) for n in range(1, session.total + 1)]
                    save(session.uuid, owner, batch(claim(session.uuid, owner, now).writer, *states), now)
                finish(session.uuid, owner, now)
                shown = session.items.filter(version__pool=Pool.RESERVED, withheld=False)
                known |= set(shown.values_list("version_id", flat=True))
            with pytest.raises(ReservedUsedUp):
                start_mock(guest()[0], exam.blueprints.get(), MockChoice(16), 9, now, network)
        assert len(known) == (18 if patient else 0)


class TestTheSimulation:
    def test_without_limits_one_network_gets_the_pool_in_minutes(self):
        assert harvest.harvest(harvest.BEFORE, 1, is_patient=False)[0.95] < 600

    @pytest.mark.parametrize("networks", harvest.NETWORKS)
    def test_with_limits_no_number_of_networks_gets_the_pool_within_three_months(self, networks):
        assert harvest.harvest(harvest.NOW, networks, is_patient=False) == {}
        assert harvest.harvest(harvest.NOW, networks, is_patient=True)[0.95] > 90 * harvest.DAY_SECONDS


class TestWhatStaffSee:
    def test_staff_see_counts_by_network_hour_and_day_of_what_was_shown(self, exam, clock):
        clock.shift(-dt.timedelta(hours=3))
        start(new_guest())
        early = latest()
        read = read_through(early, owner_of(early), timezone.now())
        finish(early.uuid, owner_of(early), read)
        clock.shift(dt.timedelta(hours=3))
        start(new_guest())
        finish(latest().uuid, owner_of(latest()), NOW)
        start(new_guest(ELSEWHERE))
        rows = {row.key: row for row in watched_networks(NOW)}
        home = rows[key_of_address(HOME)]
        assert (home.guests_hour, home.guests_day) == (1, 2)
        assert (home.mocks_hour, home.mocks_day) == (1, 2)
        assert (home.solutions_hour, home.solutions_day) == (0, 10)
        assert rows[key_of_address(ELSEWHERE)].solutions_day == 0

    def test_a_network_above_the_limit_is_flagged_in_the_admin_and_in_the_metrics(self, admin_client, settings):
        for n in range(FLAG_GUESTS_AN_HOUR):
            note_guest("quiet" + "0" * 27, NOW)
            note_guest("busy" + "0" * 28, NOW - dt.timedelta(seconds=n))
        assert list(flagged_networks(NOW)) == []
        note_guest("busy" + "0" * 28, NOW)
        assert [row.key[:4] for row in flagged_networks(NOW)] == ["busy"]
        text = admin_client.get(reverse("admin:practice_guestnetwork_changelist")).text
        page = BeautifulSoup(text, "html.parser")
        rows = page.select("tbody tr")
        flagged = {row.select_one(".field-network").text: row.select_one(".field-flag").text for row in rows}
        assert flagged == {"busy0000": "flagged", "quiet000": "-"}
        assert "busy00000" not in text
        settings.METRICS_TOKEN = "t" * 20
        told = metrics(RequestFactory().get("/metrics", HTTP_AUTHORIZATION=f"Bearer {'t' * 20}")).text
        assert "courseiva_guest_networks_flagged 1.0\n" in told
        assert "courseiva_guest_reserved_solutions 0.0\n" in told

    def test_a_guest_is_counted_once_when_created(self, exam):
        client = new_guest()
        start(client)
        start(client)
        new_guest().get(reverse("mock", args=["pmle"]))
        assert GuestAct.objects.filter(session=None).count() == 1

    def test_the_statement_count_does_not_grow_with_the_networks(self, admin_client, django_assert_num_queries):
        for count in (1, 5):
            for n in range(count):
                note_guest(key_of_address(f"10.{count}.{n}.1"), NOW)
            with django_assert_num_queries(5):
                admin_client.get(reverse("admin:practice_guestnetwork_changelist"))


def owner_of(session):
    return Owner(guest_key=session.learner.guest_key)


def test_no_ip_address_is_stored_and_after_two_days_nothing_is(exam, clock):
    start(new_guest())
    for row in [*GuestNetwork.objects.values_list(), *GuestAct.objects.values_list()]:
        assert "203.0.113" not in str(row)
    clock.shift(DAY)
    note_guest(key_of_address(ELSEWHERE), timezone.now())
    assert purge_networks(NOW + 2 * DAY - dt.timedelta(seconds=1)) == 0
    assert purge_networks(NOW + 2 * DAY + dt.timedelta(seconds=1)) == 1
    assert GuestNetwork.objects.get().key == key_of_address(ELSEWHERE)
    assert GuestAct.objects.count() == 1
    assert PracticeSession.objects.count() == 1


def test_the_privacy_page_says_what_is_kept_and_for_how_long():
    text = " ".join(Client().get(reverse("article", args=["privacy"])).text.split())
    assert "keyed hash of the network" in text  # deliberately a sentence: the page's promise is the thing tested
    assert "two to three days" in text
