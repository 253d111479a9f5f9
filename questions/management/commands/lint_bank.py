"""``manage.py lint_bank PATH``: check bank files by every rule, without a database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from questions.bank_files.readings.rules.findings import readings_say
from questions.bank_files.rules.checks import BankReport, Waiver, check_path
from questions.bank_files.rules.file import FileProblem
from questions.bank_files.rules.folder import ExamFolder, exam_folders
from questions.bank_files.rules.stale import stale_lines
from questions.lint.rules import REFUSE, WARN
from questions.lint.rules.bank.figures import bank_figures
from questions.lint.rules.bank.style import style_figures


class Command(BaseCommand):
    """Prints ``file:line: severity rule-id [question] field: message — fix``, then waivers, figures and counts."""

    help = (
        "Check bank files by the rules in docs/lint.md: questions, banks as a whole, study modules. Needs no database."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """PATH, and the output format."""
        parser.add_argument("path", type=Path, help="a folder of exams, one exam's folder, or one file")
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
        parser.add_argument("--stale", type=int, metavar="DAYS", help="only list what nobody has read for so long")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check and report; exit status 1 if anything is refused, or has a warning without a waiver."""
        if not options["path"].exists():
            raise CommandError(f"{options['path']}: is not there")
        if options["stale"]:
            for line in stale_lines(exam_folders(options["path"]), options["stale"], timezone.localdate()):
                self.stdout.write(line)
            return
        report = check_path(options["path"], readings_say)
        if options["json"]:
            self.stdout.write(json.dumps(as_json(report), indent=2, ensure_ascii=False))
        else:
            for line in as_lines(report):
                self.stdout.write(line)
        if report.findings:
            raise CommandError(f"{report.count(REFUSE)} refused, {report.count(WARN)} warnings without a waiver.")


def as_lines(report: BankReport) -> list[str]:
    """The report for people."""
    lines = [_line(each) for each in report.findings]
    lines += [
        f"{waiver.path}:{waiver.line}: waived {waiver.rule} [{waiver.question}] {len(waiver.findings)}: {waiver.reason}"
        for waiver in report.waivers
    ]
    for folder in report.whole:
        figures = ", ".join(f"{name} {value}" for name, value in _figures(folder).items())
        lines.append(f"{folder.path}: {figures}")
    if report.allowed:
        allowed = Counter(each.problem.rule for each in report.allowed).most_common()
        lines.append(f"allowed by the targets: {', '.join(f'{count} {rule}' for rule, count in allowed)}")
    counts = ", ".join(f"{count} {rule}" for rule, count in report.by_rule().most_common()) or "nothing found"
    lines.append(
        f"{report.questions} questions, {report.modules} modules: {counts}; "
        f"{len(report.waivers)} waivers over {sum(len(waiver.findings) for waiver in report.waivers)} findings."
    )
    return lines


def _figures(folder: ExamFolder) -> dict[str, Any]:
    return bank_figures(folder.questions) | style_figures(folder.questions, folder.glossary)


def _line(each: FileProblem) -> str:
    problem = each.problem
    question = f" [{each.question}]" if each.question else ""
    return (
        f"{each.path}:{each.line}: {problem.severity} {problem.rule}{question} {problem.field}: "
        f"{problem.message} — {problem.fix}"
    )


def as_json(report: BankReport) -> dict[str, Any]:
    """The report for programs."""
    return {
        "findings": [_finding(each) for each in report.findings],
        "waivers": [_waiver(waiver) for waiver in report.waivers],
        "allowed": [_finding(each) for each in report.allowed],
        "banks": {str(folder.path): _figures(folder) for folder in report.whole},
        "counts": {
            "questions": report.questions,
            "modules": report.modules,
            "refused": report.count(REFUSE),
            "warned": report.count(WARN),
            "waived": sum(len(waiver.findings) for waiver in report.waivers),
            "by_rule": dict(report.by_rule()),
        },
    }


def _finding(each: FileProblem) -> dict[str, Any]:
    problem = each.problem
    names = ("severity", "rule", "field", "message", "fix")
    place = {"file": str(each.path), "line": each.line, "question": each.question}
    return place | {name: getattr(problem, name) for name in names}


def _waiver(waiver: Waiver) -> dict[str, Any]:
    return {
        "file": str(waiver.path),
        "line": waiver.line,
        "question": waiver.question,
        "rule": waiver.rule,
        "reason": waiver.reason,
        "findings": [_finding(each) for each in waiver.findings],
    }
