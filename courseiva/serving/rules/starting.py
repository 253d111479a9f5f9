"""One-line messages, in place of a traceback, for an operator whose command can't run."""

from __future__ import annotations

import errno

from courseiva.serving.rules.environment import SettingError

SQLITE_TROUBLE = {8, 10, 13, 14}
"""SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN: the disk is at fault, not a statement."""
DISK_TROUBLE = {errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EPERM}


def one_line(error: BaseException) -> str:
    """The line for a wrong setting, an unreachable database or an unwritable disk; otherwise nothing."""
    if isinstance(error, SettingError):
        return str(error)
    if isinstance(error, OSError) and error.errno in DISK_TROUBLE:
        what = error.filename or "The disk"
        return f"{what} can't be written ({error.strerror}). Check the disk and who owns the folder."
    cause = error.__cause__
    if (getattr(cause, "sqlite_errorcode", 0) & 0xFF) in SQLITE_TROUBLE:
        return f"DATABASE_URL names a file that can't be used ({cause}). Check the disk and who owns the folder."
    if type(cause).__name__ == "OperationalError" and getattr(cause, "pgcode", "none of PostgreSQL") is None:
        return f"DATABASE_URL names a database that can't be reached ({_first_line(cause)}). Check it and the server."
    return ""


def _first_line(error: BaseException | None) -> str:
    return next(iter(str(error).strip().splitlines()), "no reason given")
