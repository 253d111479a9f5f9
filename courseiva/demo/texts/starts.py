"""Where a reader starts: addresses that no link leads to, because a script, an email or chance brings people there."""

from __future__ import annotations

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse

from courseiva.demo.texts.bank import questions_of
from courseiva.demo.texts.people import GUEST, LEARNER, NEWCOMER, VISITOR, Reader
from discussion.comments.models.comments import Comment, Subscription
from discussion.comments.models.moderation import SavedReply
from discussion.comments.models.takedowns import Takedown
from practice.learners.models import ExamPlan
from questions.catalogue.models import Exam
from questions.desk.models import BulkChange
from questions.formats.models import ImportJob, JobState
from questions.reports.models import ContentReport
from questions.versions.models.drafts import Family

EVERYBODY = (
    "search", "display", "articles", "reports", "my-exam", "history", "trial", "taken",
    "moderation", "moderation-log", "moderation-search", "moderation-appeals", "moderation-takedowns", "inbox",
    "takedown-new",
    "account_login", "account_signup", "account_reset_password", "account_reset_password_done", "account_inactive",
    "account_email_verification_sent", "account_reset_password_from_key_done", "account_deleted", "account_name",
    "account_zone", "account_delete", "account_delete_confirm", "account_email", "account_change_password",
    "account_set_password", "account_reauthenticate", "account_logout", "mfa_index", "mfa_activate_totp",
    "mfa_deactivate_totp", "mfa_reauthenticate", "mfa_authenticate", "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes", "mfa_list_webauthn", "mfa_add_webauthn", "mfa_reauthenticate_webauthn",
)  # fmt: skip
OF_THE_EXAM = (
    "exam", "hub", "builder", "mock", "readiness", "calibration", "evidence", "afresh", "take", "module-marks",
    "collections", "objectives", "objective-estimates", "study-guide",
)  # fmt: skip
OF_A_SESSION = ("session", "finish", "results", "booklet")
OF_AN_ITEM = ("breakdown", "item-changes", "report-item")
OF_A_VARIANT = ("contrast-answer", "report-variant")
OF_A_COMMENT = ("comment", "comment-reply", "comment-edit", "comment-delete", "comment-report", "moderation-comment")
OF_THE_DESK = ("questions_import", "questions_versionstatistics_radar", "questions_versionstatistics_coverage")
# Pages of a question that only editors see: a draft, one in review, and a live one.
PREVIEWS = ("page", "session")


def starts_of(who: Reader, exams: list[Exam]) -> list[str]:
    """The addresses this reader opens by hand, including ones that are refused: a refusal is a page as well."""
    slug = exams[0].slug
    found = ["/", "/no/such/page/", reverse("search") + "?q=title", reverse("search") + "?q=xyzzyx"]
    found += [reverse(name) for name in EVERYBODY] + [reverse("account_home")]
    found += [reverse(name, args=[slug]) for name in OF_THE_EXAM] + [reverse("module-mark", args=[slug, 1])]
    found += [reverse("objectives-of", args=[slug, guide.key]) for guide in exams[0].blueprints.all()]
    found += [reverse(name, args=[session.uuid]) for session in who.sessions.values() for name in OF_A_SESSION]
    for kind, session in who.sessions.items():
        if kind.startswith("finished"):
            found += [reverse(name, args=[session.uuid, n]) for name in OF_AN_ITEM for n in (1, 3)]
    found += [reverse("reports") + str(token) + "/" for token in ContentReport.objects.values_list("token", flat=True)]
    if who.answered:
        drill = who.sessions["drill of a family"].uuid
        found += [reverse("contrast", args=[drill, 1])]
        found += [reverse(name, args=[drill, 1, who.answered.uuid]) for name in OF_A_VARIANT]
    found += _of_talk(slug, exams[0])
    if who.name in (VISITOR, GUEST):
        found += _of_mails()
    elif who.name not in (NEWCOMER, LEARNER):
        found += _of_desk(exams[0])
    return found


def _of_talk(slug: str, exam: Exam) -> list[str]:
    """A comment in each state, open and closed discussions, takedown requests, and unsubscribe pages."""
    comments = {comment.state: comment.pk for comment in Comment.objects.order_by("-pk")}
    found = [reverse(name, args=[pk]) for pk in comments.values() for name in OF_A_COMMENT]
    found += [reverse("thread", args=[slug, question.pk]) for question in questions_of(exam)[:3]]
    found += [reverse("moderation-reply", args=[reply.pk]) for reply in SavedReply.objects.all()]
    found += [reverse("takedown", args=[each.token]) for each in Takedown.objects.all()]
    found += [
        reverse("plan-unsubscribe", args=[each.reminder_token])
        for each in ExamPlan.objects.exclude(reminder_token=None)
    ]
    return [*found, *(reverse("unsubscribe", args=[each.token]) for each in Subscription.objects.all()[:1])]


def _of_mails() -> list[str]:
    """The pages that links in account emails lead to, and the same links once expired."""
    address = EmailAddress.objects.select_related("user").order_by("pk")[0]
    token = default_token_generator.make_token(address.user)
    key = user_pk_to_url_str(address.user)
    reset = "account_reset_password_from_key"
    return [
        reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key]),
        reverse("account_confirm_email", args=["worn-out"]),
        reverse(reset, args=[key, token]),
        reverse(reset, args=[key, "worn-out"]),
    ]


def _of_desk(exam: Exam) -> list[str]:
    found = [reverse("admin:index"), *(reverse(f"admin:{name}") for name in OF_THE_DESK)]
    found += [reverse("admin:questions_import_job", args=[job.pk]) for job in ImportJob.objects.all()]
    found += [
        reverse("admin:questions_import_undo", args=[job.pk]) for job in ImportJob.objects.filter(state=JobState.DONE)
    ]
    found += [reverse("admin:questions_question_change_together", args=[each.pk]) for each in BulkChange.objects.all()]
    family = Family.objects.order_by("pk")[0].pk
    found += [reverse(f"admin:questions_family_{name}", args=[family]) for name in ("change", "variant")]
    for question in questions_of(exam)[-5:]:
        found += [reverse(f"admin:questions_question_{name}", args=[question.pk]) for name in ("change", "compare")]
        found.append(reverse("admin:questions_versionstatistics_question", args=[question.pk]))
        found += [reverse("admin:questions_question_preview_of", args=[question.pk, shape]) for shape in PREVIEWS]
        version = question.live_version_id
        found += [reverse(f"admin:practice_regrade_{name}", args=[version]) for name in ("new", "impact")]
    return found
