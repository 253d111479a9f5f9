"""Every address of the site, by app."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.decorators.http import require_safe

from courseiva.accounts import views as accounts
from courseiva.accounts.passkeys import views as passkeys
from courseiva.common.moved import moved
from courseiva.pages.views import articles, discovery, display, home, pictures, search, styleguide
from courseiva.serving.views import health, metrics

admin.autodiscover()
# The admin's own sign-in form has no second factor and no limits, so this one accepts nothing.
admin.site.login = secure_admin_login(require_safe(admin.site.login))  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = settings.SITE_NAME

handler400 = "courseiva.serving.views.refusals.bad_request"
handler403 = "courseiva.serving.views.refusals.permission_denied"
handler404 = "courseiva.serving.views.refusals.page_not_found"
handler500 = "courseiva.serving.views.outages.server_error"
urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("search/", search.search, name="search"),
    path("display/", display.display, name="display"),
    path("pictures/<str:name>", pictures.picture, name="picture"),
    path("articles/", articles.articles, name="articles"),
    path("articles/<slug:slug>/", articles.article, name="article"),
    path("guides/", moved(articles.articles, "articles")),
    path("guides/<slug:slug>/", moved(articles.article, "article")),
    path("exams/<slug:exam_slug>/study-guide/", articles.exam_study_guide, name="study-guide"),
    path("sitemap.xml", discovery.sitemap_index, name="sitemap"),
    path("sitemaps/site.xml", discovery.sitemap_site, name="sitemap-site"),
    path("sitemaps/<slug:exam_slug>/pages.xml", discovery.sitemap_exam, name="sitemap-exam"),
    path("sitemaps/<slug:exam_slug>/questions.xml", discovery.sitemap_questions, name="sitemap-questions"),
    path(
        "sitemaps/<slug:exam_slug>/questions-<int:part>.xml",
        discovery.sitemap_more_questions,
        name="sitemap-more-questions",
    ),
    path("favicon.ico", discovery.favicon, name="favicon"),
    path("site.webmanifest", discovery.manifest, name="manifest"),
    path("mark", discovery.mark, name="mark"),
    path("robots.txt", discovery.robots, name="robots"),
    path(".well-known/security.txt", discovery.security_txt, name="security-txt"),
    path("accounts/", accounts.account_home, name="account_home"),
    path("accounts/who/", accounts.account_who, name="account_who"),
    path("accounts/name/", accounts.account_name, name="account_name"),
    path("accounts/time-zone/", accounts.account_zone, name="account_zone"),
    path("accounts/delete/", accounts.account_delete, name="account_delete"),
    path("accounts/delete/confirm/", accounts.account_delete_confirm, name="account_delete_confirm"),
    path("accounts/deleted/", accounts.account_deleted, name="account_deleted"),
    path("accounts/2fa/webauthn/login/", passkeys.sign_in, name="mfa_login_webauthn"),
    path("accounts/2fa/webauthn/reauthenticate/", passkeys.reauthenticate, name="mfa_reauthenticate_webauthn"),
    path("accounts/2fa/webauthn/keys/<int:pk>/remove/", passkeys.remove, name="mfa_remove_webauthn"),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("admin/", admin.site.urls),
    path("", include("questions.urls")),
    path("", include("practice.urls")),
    path("", include("discussion.urls")),
]
if settings.OIDC:
    urlpatterns += [path("", include("courseiva.accounts.sso.urls"))]
if settings.DEBUG:
    urlpatterns += styleguide.urlpatterns
