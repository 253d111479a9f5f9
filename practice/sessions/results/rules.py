"""A result as a picture to share: the score and the marked answer sheet, without a name or questions."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT, MARGIN = 1200, 630, 72  # the usual size for link previews
SCALE = 2  # drawn larger and scaled down, so that circles are smooth
PAPER, TINT, INK, QUIET, RIGHT, WRONG = "#f9f9f6", "#f1ecfb", "#1b1b21", "#56555e", "#096367", "#a02427"
A_ROW, STEP, RADIUS, SHEET_TOP, SHEET_HEIGHT = 20, 50, 14, 300, 210


def picture(lines: Sequence[str], marks: Sequence[bool | None], foot: str) -> bytes:
    """A PNG of the lines, the first one largest, above a sheet of the marks: right, wrong or None."""
    image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), PAPER)
    draw = ImageDraw.Draw(image)
    top = MARGIN
    for size, line in zip((64, 34, 34), lines, strict=False):
        _write(draw, top, line, size, INK if top == MARGIN else QUIET)
        top += size + 26
    _sheet(draw, marks)
    _write(draw, HEIGHT - MARGIN - 14, foot, 30, QUIET)
    out = io.BytesIO()
    image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()


def _write(draw: ImageDraw.ImageDraw, top: int, line: str, size: int, colour: str) -> None:
    """Write a line, in smaller type if it is wider than the picture."""
    font = ImageFont.load_default(size * SCALE)
    width, most = draw.textlength(line, font), (WIDTH - 2 * MARGIN) * SCALE
    if width > most:
        font = ImageFont.load_default(size * SCALE * most / width)
    draw.text((MARGIN * SCALE, top * SCALE), line, fill=colour, font=font)


def _sheet(draw: ImageDraw.ImageDraw, marks: Sequence[bool | None]) -> None:
    """The marked answer sheet in rows of twenty, smaller if there are more than four rows."""
    rows = -(-len(marks) // A_ROW)
    shrink = min(1, 4 / max(rows, 1))
    left, step, radius = MARGIN + 54, STEP, round(RADIUS * shrink)
    height = min(SHEET_HEIGHT, rows * STEP + 12)
    area = (MARGIN, SHEET_TOP, MARGIN + A_ROW * STEP + 56, SHEET_TOP + height)
    draw.rectangle([side * SCALE for side in area], fill=TINT)
    for place, mark in enumerate(marks):
        row, column = divmod(place, A_ROW)
        y = SHEET_TOP + round((row + 0.5) * STEP * shrink) + 6
        if not column:
            draw.rectangle([each * SCALE for each in (MARGIN + 14, y - 3, MARGIN + 32, y + 3)], fill=INK)
        _cell(draw, left + column * step + radius, y, radius, mark)


def _cell(draw: ImageDraw.ImageDraw, x: int, y: int, radius: int, mark: bool | None) -> None:
    box = [each * SCALE for each in (x - radius, y - radius, x + radius, y + radius)]
    if mark:
        draw.ellipse(box, fill=RIGHT)
    elif mark is None:
        draw.ellipse(box, outline=QUIET, width=2 * SCALE)
    else:
        draw.line(box, fill=WRONG, width=4 * SCALE)
        draw.line([box[0], box[3], box[2], box[1]], fill=WRONG, width=4 * SCALE)
