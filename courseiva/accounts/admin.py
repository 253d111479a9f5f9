from courseiva.accounts.staff.admin.users import AuthenticatorAdmin, EmailAddressAdmin, GroupAdmin, UserAdmin

__all__ = ["AuthenticatorAdmin", "EmailAddressAdmin", "GroupAdmin", "UserAdmin"]
