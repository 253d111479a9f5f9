"""All settings, from environment variables alone. docs/operating.md explains each one.

With only DEBUG=1 set, the site runs by itself: SQLite, a cache in memory, tasks in process after the commit.
DATABASE_URL and REDIS_URL switch to PostgreSQL, and to a Redis cache with Celery workers.
"""

import os
from pathlib import Path
from typing import Any

from celery.schedules import crontab

from courseiva.serving.dates.en import formats
from courseiva.serving.rules import environment, owner, pictures
from courseiva.serving.told.errors import report_errors_to

BASE_DIR = Path(__file__).resolve().parent.parent

# What the operator sets ----------------------------------------------------------------------------------------------
DEBUG = environment.read_flag(os.environ, "DEBUG")
SECRET_KEY = environment.read_secret_key(os.environ, DEBUG, BASE_DIR / ".secret_key")
SITE_URL = environment.read_site_url(os.environ)
ALLOWED_HOSTS = environment.read_allowed_hosts(os.environ, DEBUG, SITE_URL)
OWN_ADDRESS = environment.read_own_address(os.environ, DEBUG, SITE_URL, ALLOWED_HOSTS)
CSRF_TRUSTED_ORIGINS = [SITE_URL] if SITE_URL else []
REDIS_URL = environment.read_redis_url(os.environ)
PROXY_COUNT = environment.read_number(os.environ, "PROXY_COUNT", 0 if DEBUG else 1, 0, 9)
STATEMENT_SECONDS = environment.read_number(os.environ, "STATEMENT_SECONDS", 0, 0, 3600)
DATABASES: dict[str, Any] = {
    "default": environment.limit_statements(environment.read_database(os.environ, BASE_DIR), STATEMENT_SECONDS)
}
DEMO = environment.read_flag(os.environ, "DEMO")
SITE_NAME = owner.read_site_name(os.environ)
SITE_MARK = owner.read_mark(os.environ)
NOTEBOOKS = owner.read_notebooks(os.environ)
LEGAL_NOTICE = owner.read_legal_notice(os.environ)
MAINTENANCE = owner.read_maintenance(os.environ)
PUBLISH_OWN_QUESTIONS = environment.read_flag(os.environ, "PUBLISH_OWN_QUESTIONS")
CHECK_SOURCES = environment.read_flag(os.environ, "CHECK_SOURCES")
CONTACT_EMAIL = environment.read_contact(os.environ)
METRICS_TOKEN = environment.read_metrics_token(os.environ)
OIDC = environment.read_oidc(os.environ)
SENTRY_DSN = environment.read_sentry_dsn(os.environ)
HSTS_SECONDS = environment.read_number(os.environ, "HSTS_SECONDS", 300, 0, 2 * environment.HSTS_YEAR)
HSTS_PRELOAD = environment.read_flag(os.environ, "HSTS_PRELOAD")
environment.check_hsts(HSTS_SECONDS, HSTS_PRELOAD)
GUEST_POOL_PERCENT = environment.read_number(os.environ, "GUEST_POOL_PERCENT", environment.GUEST_POOL_PERCENT, 0, 100)
GUEST_MOCKS_A_DAY = environment.read_number(os.environ, "GUEST_MOCKS_A_DAY", environment.GUEST_MOCKS_A_DAY, 0, 10_000)
ACCOUNT_MOCKS_A_DAY = environment.read_number(os.environ, "ACCOUNT_MOCKS_A_DAY", 12, 1, 10_000)
EVIDENCE = environment.read_flag(os.environ, "EVIDENCE", default=True)
HOLD_FIRST_POSTS = environment.read_number(os.environ, "HOLD_FIRST_POSTS", 0, 0, 100)
SCREENING_WEIGHTS = os.environ.get("SCREENING_WEIGHTS", "").strip()
PICTURE_BYTES, PICTURE_PIXELS, PICTURE_SIDE = pictures.read_picture_limits(os.environ)
PICTURE_STORAGE = pictures.read_picture_storage(os.environ, BASE_DIR)
EMAIL = environment.read_email(os.environ)
MAIL_TRANSPORT = EMAIL["backend"]
# Email for a server waits in the database; printed email has nothing to wait for.
EMAIL_BACKEND = environment.OUTBOX_EMAIL if EMAIL["host"] else MAIL_TRANSPORT
EMAIL_HOST, EMAIL_PORT = EMAIL["host"], EMAIL["port"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = EMAIL["user"], EMAIL["password"]
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL["tls"], EMAIL["ssl"]
EMAIL_TIMEOUT = 10  # how long a hanging server delays a run of the outbox, and only once (decision 0022)
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM", "").strip() or f"{SITE_NAME} <no-reply@courseiva.example>"
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# The application -----------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "courseiva",
    "courseiva.accounts",
    "courseiva.outbox",
    "questions",
    "practice",
    "discussion",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",  # its tables exist without a provider too, so account deletion is always the same
    "django_htmx",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
]
# None of these reads the session by itself: a public page sets no cookie, doesn't vary by one and needs no query.
MIDDLEWARE = [
    "courseiva.serving.middleware.watching.watch_requests",
    "courseiva.serving.middleware.watching.security_headers",
    "django.middleware.security.SecurityMiddleware",
    "courseiva.serving.views.health.answer_probes",
    "courseiva.serving.middleware.requests.refuse_unreadable",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "courseiva.serving.middleware.pulse.settle_first",
    "courseiva.serving.middleware.watching.guard_device_key",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "courseiva.accounts.guarding.middleware.send_to_sign_in",
    "courseiva.accounts.guarding.second_factor.ask_for_second_factor",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
FORCE_SCRIPT_NAME = ""  # the site has its own host; a header of that name is ignored
ROOT_URLCONF = "courseiva.urls"
WSGI_APPLICATION = "courseiva.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
USE_I18N = False
FORMAT_MODULE_PATH = "courseiva.serving.dates"  # otherwise the admin writes American dates
# Same effect where templates/base.html skips number formatting, which takes a tenth of a page's time.
DATE_FORMAT, TIME_FORMAT, DATETIME_FORMAT = formats.DATE_FORMAT, formats.TIME_FORMAT, formats.DATETIME_FORMAT
TIME_ZONE = "UTC"
USE_TZ = True
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000  # a session with 100 questions is one form
SESSION_ENGINE = "django.contrib.sessions.backends.db"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # the other way needs its own cookie
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "courseiva.common.quick.drawing.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "courseiva.accounts.mail.captured_link",
            ],
            "builtins": ["courseiva.templatetags.owner", "courseiva.templatetags.days"],
        },
    },
]

# Static files: hashed names in every mode, because integrity attributes and cache keys come from the manifest --------
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": PICTURE_STORAGE,
    "staticfiles": {"BACKEND": "courseiva.serving.static_files.HashedStorage"},
}
WHITENOISE_AUTOREFRESH = False
WHITENOISE_USE_FINDERS = False
WHITENOISE_ALLOW_ALL_ORIGINS = False

# Accounts: by email address alone, which must be verified -----------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "courseiva.accounts.guarding.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = OWN_ADDRESS.partition(":")[0]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_FORMS = {"signup": "courseiva.accounts.forms.SignUpForm"}
ACCOUNT_RATE_LIMITS = {
    "login_failed": "5/300s/key,20/h/key",  # for one account from one network; and for codes, after a right password
    "login_failed_network": "10/m/key,100/h/key",  # for one network, across all accounts it tries
    # For one account from everywhere: too many for a few networks to lock the owner out.
    "login_failed_account": "200/h/key",
}
ALLAUTH_TRUSTED_PROXY_COUNT = PROXY_COUNT
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = SITE_NAME
STAFF_SECOND_FACTOR = not DEBUG  # required for the admin; demo accounts have none
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ADAPTER = "courseiva.accounts.passkeys.reads.PasskeyAdapter"
MFA_FORMS = {
    "add_webauthn": "courseiva.accounts.passkeys.forms.AddPasskeyForm",
    "edit_webauthn": "courseiva.accounts.passkeys.forms.RenamePasskeyForm",
    "authenticate_webauthn": "courseiva.accounts.passkeys.forms.PasskeyStepForm",
    "login_webauthn": "courseiva.accounts.passkeys.forms.PasskeySignInForm",
    "reauthenticate_webauthn": "courseiva.accounts.passkeys.forms.PasskeyAgainForm",
}
SOCIALACCOUNT_ADAPTER = "courseiva.accounts.sso.reads.SsoAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {"OAUTH_PKCE_ENABLED": True, "provider_class": "courseiva.accounts.sso.reads.Provider"}
}
if OIDC:  # this module imports the provider's client
    INSTALLED_APPS.append("allauth.socialaccount.providers.openid_connect")
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
if DEBUG and EMAIL_BACKEND == environment.CONSOLE_EMAIL:
    EMAIL_BACKEND = "courseiva.accounts.mail.CapturingBackend"

# Discussion ----------------------------------------------------------------------------------------------------------
DISCUSSION_MAY_READ_THREAD = "practice.sessions.reads.threads.may_read_thread"  # discussion does not import practice

# Security floor; courseiva.serving.middleware.watching adds the headers Django has none of ---------------------------
CSRF_COOKIE_HTTPONLY = False  # the player reads the token from this cookie
CSRF_FAILURE_VIEW = "courseiva.serving.views.refusals.csrf_failure"
CSRF_COOKIE_SAMESITE = SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if not DEBUG:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    SECURE_HSTS_SECONDS, SECURE_HSTS_PRELOAD = HSTS_SECONDS, HSTS_PRELOAD
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_SSL_REDIRECT = SITE_URL.startswith("https://")
    SECURE_REDIRECT_EXEMPT = ["^(healthz|readyz|metrics)$"]
# The browsers' built-in lists are hard to leave: set HSTS_PRELOAD only once HTTPS has proved itself.
SILENCED_SYSTEM_CHECKS = ["security.W021"]

# Cache and tasks -----------------------------------------------------------------------------------------------------
CACHES: dict[str, Any] = {
    name: {
        "BACKEND": backend,
        "LOCATION": name,
        "OPTIONS": {"MAX_ENTRIES": entries},
    }
    for name, backend, entries in (
        ("default", "courseiva.accounts.guarding.guards.GuardingMemoryCache", 10_000),
        ("pages", "django.core.cache.backends.locmem.LocMemCache", 2_000),
    )
}
if REDIS_URL:
    for name, backend, prefix in (
        ("default", "courseiva.accounts.guarding.guards.GuardingRedisCache", "courseiva"),
        ("pages", "courseiva.serving.cache.SoftRedisCache", "courseiva-pages"),
    ):
        CACHES[name] = {
            "BACKEND": backend,
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": prefix,
            # The site works without the cache: if it hangs, a request may take half a second longer but must not fail.
            "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
        }
if DEBUG:  # so that changes show at once
    CACHES["pages"] = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
EXAM_CHOICE_SECONDS = 60  # how long pages may take to notice a second exam
MOCK_SCORES_SECONDS = 600  # how old other learners' scores may be where a result is compared with them
BANK_COUNT_SECONDS = 60  # how long a learner's page or a prediction may miss what was published or withdrawn
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL  # without a queue, tasks run in process, after the commit
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_PUBLISH_RETRY = False  # a dead queue must not hold up requests; sweepers catch up
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,  # above CELERY_TASK_TIME_LIMIT, or Redis would hand out a task that is still running
    "socket_connect_timeout": 1,
    "socket_timeout": 2,
    "max_retries": 0,  # by then the request has committed, and it doesn't wait for a queue
}
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "close expired sessions": {"task": "practice.close_expired_sessions", "schedule": 60.0},
    "analyse what was missed": {"task": "practice.analyse_waiting", "schedule": 20.0},
    "regrade what was missed": {"task": "practice.run_regrades", "schedule": 300.0},
    "calibrate": {"task": "practice.calibrate", "schedule": crontab(hour=2, minute=10)},
    "measure honesty": {"task": "practice.measure_honesty", "schedule": crontab(hour=2, minute=40)},
    "forecast trials": {"task": "practice.forecast_trials", "schedule": 300.0},
    "refresh standings": {"task": "practice.refresh_standings", "schedule": crontab(hour="3-5", minute="*/10")},
    "purge idle guests": {"task": "practice.purge_idle_guests", "schedule": crontab(hour=4, minute=10, day_of_week=0)},
    "let archives go": {"task": "practice.let_archives_go", "schedule": crontab(hour=4, minute=20)},
    "purge guards": {"task": "accounts.purge_guards", "schedule": 3600.0},
    "purge networks": {"task": "practice.purge_networks", "schedule": crontab(minute=40)},
    "import large files": {"task": "questions.run_imports", "schedule": 5.0},
    "count public questions": {"task": "questions.count_public", "schedule": 60.0},
    "catch up search": {"task": "questions.catch_up_search", "schedule": 60.0},
    "deliver mail": {"task": "outbox.deliver", "schedule": 5.0},
    "purge mail": {"task": "outbox.purge", "schedule": 3600.0},
    "tell reporters": {"task": "questions.tell_outcomes", "schedule": 600.0},
    "tell whoever waits for a draft": {"task": "questions.tell_desk", "schedule": 60.0},
    "screen what was missed": {"task": "discussion.screen_waiting", "schedule": 300.0},
    "remind learners": {"task": "practice.send_reminders", "schedule": crontab(minute="*/15")},
    "mail replies": {"task": "discussion.send_reply_mails", "schedule": 300.0},
    "tell editors": {"task": "discussion.send_corrections", "schedule": 30.0},
    "tell authors": {"task": "discussion.send_notices", "schedule": 30.0},
    "purge kept texts": {"task": "discussion.purge_kept", "schedule": crontab(minute=25)},
    "tell moderators": {"task": "discussion.send_digest", "schedule": crontab(hour=7, minute=0)},
}
if CHECK_SOURCES:
    CELERY_BEAT_SCHEDULE["check sources"] = {"task": "questions.check_sources", "schedule": 900.0}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "courseiva.serving.rules.logs.JsonFormatter"},
    },
    "filters": {
        "without secrets": {"()": "courseiva.serving.told.paths.WithoutSecrets"},
        "no error of ours": {"()": "courseiva.serving.told.paths.NoErrorOfOurs"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line" if DEBUG else "json",
            "filters": ["without secrets"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.security.DisallowedHost": {"filters": ["no error of ours"]},
        "courseiva": {"level": "INFO"},
        "courseiva.requests": {"level": "WARNING" if DEBUG else "INFO"},
    },
}

if SENTRY_DSN:
    report_errors_to(SENTRY_DSN)
