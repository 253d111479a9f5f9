"""Addresses for signing in through a provider, under the names allauth looks up. Present only if one is configured."""

from django.urls import path

from courseiva.accounts.sso import views

ONE = {"provider_id": "sso"}
urlpatterns = [
    path("accounts/oidc/login/", views.sign_in, ONE, name="openid_connect_login"),
    path("accounts/oidc/callback/", views.callback, ONE, name="openid_connect_callback"),
    path("accounts/oidc/cancelled/", views.cancelled, name="socialaccount_login_cancelled"),
    path("accounts/oidc/email/", views.signup, name="socialaccount_signup"),
]
