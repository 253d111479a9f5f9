"""Signing in through an OpenID Connect provider chosen by the operator, with allauth's own provider."""
