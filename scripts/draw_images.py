#!/usr/bin/env python3
"""Draws the pictures made from the mark: icons, and the previews that other sites show, one for each exam.

Run it by hand after the mark has changed. Needs the system's Chromium; writes into static/img.
"""

import textwrap
from html import escape
from pathlib import Path

import yaml
from playwright.sync_api import sync_playwright

BASE = Path(__file__).resolve().parent.parent
IMAGES = BASE / "static" / "img"
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
PAPER, INK, INK2, ACCENT, TINT = "#f9f9f6", "#1b1b21", "#56555e", "#5c3093", "#f1ecfb"
SERIF = "Charter, Cambria, Caladea, serif"
ROWS, COLUMNS, ANSWERED, HALF = 5, 5, 12, 13


def mark(size: int, x: float = 0, y: float = 0) -> str:
    """The logo, a half-filled circle, `size` wide at x, y."""
    return (
        f'<svg x="{x}" y="{y}" width="{size}" height="{size}" viewBox="0 0 20 20">'
        f'<circle cx="10" cy="10" r="8" fill="none" stroke="{INK}" stroke-width="2"/>'
        f'<path d="M10 2a8 8 0 0 1 0 16z" fill="{INK}"/></svg>'
    )


def icon(size: int) -> str:
    """The logo on paper, with a margin for the rounded corners that phones cut."""
    inner = round(size * 0.66)
    edge = (size - inner) / 2
    return _svg(size, size, mark(inner, edge, edge))


def preview() -> str:
    """Name and slogan beside an answer sheet, 1200 by 630."""
    words = (
        mark(76, 84, 168)
        + f'<text x="182" y="232" font-family="{SERIF}" font-weight="600" font-size="76" fill="{INK}">Courseiva</text>'
        + f'<rect x="84" y="288" width="560" height="4" fill="{INK}"/>'
    )
    for line, text in enumerate(["Exam practice with the reasons,", "and an honest reading of", "how ready you are."]):
        words += f'<text x="84" y="{354 + 54 * line}" font-family="{SERIF}" font-size="40" fill="{INK2}">{text}</text>'
    return _svg(1200, 630, words + _answer_sheet(720, 95))


def exam_preview(code: str, name: str) -> str:
    """An exam's code and name beside the answer sheet, 1200 by 630."""
    words = (
        mark(48, 84, 96)
        + _line(148, 134, 40, "Courseiva", True)
        + _line(84, 262, 88, code, True)
        + f'<rect x="84" y="298" width="560" height="4" fill="{INK}"/>'
    )
    for line, text in enumerate([*textwrap.wrap(name, 28)[:3], "Practice with the reasons"]):
        words += _line(84, 362 + 52 * line, 38, text)
    return _svg(1200, 630, words + _answer_sheet(720, 95))


def _line(x: int, y: int, size: int, text: str, is_heavy: bool = False) -> str:
    look = f'font-weight="600" fill="{INK}"' if is_heavy else f'fill="{INK2}"'
    return f'<text x="{x}" y="{y}" font-family="{SERIF}" font-size="{size}" {look}>{escape(text)}</text>'


def _answer_sheet(left: int, top: int) -> str:
    parts = [f'<rect x="{left}" y="{top}" width="400" height="440" fill="{TINT}"/>']
    for number in range(1, ROWS * COLUMNS + 1):
        x = left + 96 + (number - 1) % COLUMNS * 62
        y = top + 60 + (number - 1) // COLUMNS * 80
        if number % COLUMNS == 1:
            parts.append(f'<rect x="{left + 22}" y="{y - 4}" width="28" height="9" fill="{INK}"/>')
        if number <= ANSWERED:
            parts.append(f'<circle cx="{x}" cy="{y}" r="24" fill="{INK}"/>')
            continue
        parts.append(f'<circle cx="{x}" cy="{y}" r="22.5" fill="#fff" stroke="{ACCENT}" stroke-width="3"/>')
        if number == HALF:
            parts.append(f'<path d="M{x} {y - 24}a24 24 0 0 1 0 48z" fill="{INK}"/>')
    return "".join(parts)


def _svg(width: int, height: int, body: str) -> str:
    ground = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{ground}{body}</svg>'


def main() -> None:
    pictures = {
        "apple-touch-icon.png": (180, 180, icon(180)),
        "icon-192.png": (192, 192, icon(192)),
        "icon-512.png": (512, 512, icon(512)),
        "preview.png": (1200, 630, preview()),
    }
    for file in sorted((BASE / "fixtures").glob("*/exam.yaml")):
        exam = yaml.safe_load(file.read_text(encoding="utf-8"))
        pictures[f"preview-{exam['slug']}.png"] = (1200, 630, exam_preview(exam["code"], exam["name"]))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, (width, height, drawing) in pictures.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawing}")
            page.screenshot(path=IMAGES / name)
            print(f"{name}: {width} x {height}, {(IMAGES / name).stat().st_size} bytes")
        browser.close()


if __name__ == "__main__":
    main()
