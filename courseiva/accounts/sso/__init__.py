"""Signing in by an OpenID Connect provider that the operator names, through allauth's own."""
