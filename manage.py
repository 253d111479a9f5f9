#!/usr/bin/env python
"""Django's command line for Courseiva. A missing or wrong setting ends it with one line, not with a traceback."""

import os
import sys


def main() -> None:
    """Run one management command with the project's settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseiva.settings")
    from django.core.management import execute_from_command_line

    from courseiva.serving.rules.environment import SettingError

    try:
        execute_from_command_line(sys.argv)
    except SettingError as error:
        sys.exit(f"courseiva: {error}")


if __name__ == "__main__":
    main()
