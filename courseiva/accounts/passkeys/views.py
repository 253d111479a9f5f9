"""Three of allauth's passkey pages, overridden so that a failed attempt can be retried on the same page."""

from __future__ import annotations

from typing import Any

from allauth.account.utils import passthrough_next_redirect_url
from allauth.mfa.webauthn.views import LoginWebAuthnView, ReauthenticateWebAuthnView, RemoveWebAuthnView
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpResponse, HttpResponseRedirect

from courseiva.accounts.passkeys.forms import PasskeyAgainForm, PasskeySignInForm
from courseiva.accounts.passkeys.reads import is_last_step


class SignInView(LoginWebAuthnView):
    """GET returns the passkey challenge as JSON; POST takes the response."""

    def form_invalid(self, form: PasskeySignInForm) -> HttpResponse:
        """Back to the sign-in page with the reason, keeping the page to go on to."""
        response = super().form_invalid(form)
        return HttpResponseRedirect(passthrough_next_redirect_url(self.request, response.url, REDIRECT_FIELD_NAME))


class ReauthenticateView(ReauthenticateWebAuthnView):
    def form_invalid(self, form: PasskeyAgainForm) -> HttpResponse:
        return self.render_to_response({**self.get_context_data(), "form": form})


class RemoveView(RemoveWebAuthnView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Adds whether the password alone will then be enough to sign in."""
        return {**super().get_context_data(**kwargs), "is_last_step": is_last_step(self.object)}


sign_in, reauthenticate, remove = SignInView.as_view(), ReauthenticateView.as_view(), RemoveView.as_view()
