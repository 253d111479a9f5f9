#!/usr/bin/env python
"""Django's command line for Courseiva. A missing or wrong setting ends it with one line, not with a traceback."""

import os
import sys
from importlib import import_module

LABORATORY = ("calibrate_file", "evaluate_predictions")
"""Commands that read a file and nothing else: whoever checks the mathematics has no site to set up."""


def main() -> None:
    """Run one management command with the project's settings, or one of the laboratory with none."""
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
    """End in one line where a setting is wrong."""
    from courseiva.serving.rules.environment import SettingError

    try:
        import_module(os.environ.get("DJANGO_SETTINGS_MODULE", "courseiva.settings"))
    except SettingError as error:
        sys.exit(f"courseiva: {error}")


def without_settings(name: str) -> None:
    """The command as Django would run it, with neither apps nor database."""
    from django.conf import settings

    settings.configure()
    import_module(f"practice.management.commands.{name}").Command().run_from_argv(sys.argv)


if __name__ == "__main__":
    main()
