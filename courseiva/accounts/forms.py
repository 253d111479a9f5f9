"""What an account's own pages ask."""

from __future__ import annotations

from typing import Any

from django import forms


class DeletionForm(forms.Form):
    """The address typed once more, so that nobody deletes an account by a slip or deletes the wrong one."""

    email = forms.CharField(label="The e-mail address of this account", max_length=254)

    def __init__(self, wanted: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.wanted = wanted

    def clean_email(self) -> str:
        """The account's own address, in any letter case."""
        typed: str = self.cleaned_data["email"]
        if typed.lower() != self.wanted:
            raise forms.ValidationError("This is not the address of the account you are signed in with.")
        return typed
