#!/usr/bin/env python
"""Django's command line for Courseiva. If a setting is missing or wrong, it prints one line, not a traceback."""

import os
import sys
from importlib import import_module

LABORATORY = ("calibrate_file", "evaluate_predictions")
"""Commands that only read a file, so that somebody checking the mathematics needn't set up a site."""


def main() -> None:
    """Run a management command with the project's settings, or a laboratory command without any."""
    if sys.argv[1:2] and sys.argv[1] in LABORATORY:
        without_settings(sys.argv[1])
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseiva.settings")
    from django.core.management import execute_from_command_line

    from courseiva.serving.rules.starting import one_line

    try:
        execute_from_command_line(sys.argv)
    except Exception as error:
        if line := one_line(error):
            sys.exit(f"courseiva: {line}")
        raise


def read_settings() -> None:
    """Exit with one line if a setting is wrong."""
    from courseiva.serving.rules.environment import SettingError

    try:
        import_module(os.environ.get("DJANGO_SETTINGS_MODULE", "courseiva.settings"))
    except SettingError as error:
        sys.exit(f"courseiva: {error}")


def without_settings(name: str) -> None:
    """Run the command as Django would, but without apps or a database."""
    from django.conf import settings

    settings.configure()
    import_module(f"practice.management.commands.{name}").Command().run_from_argv(sys.argv)


if __name__ == "__main__":
    main()
