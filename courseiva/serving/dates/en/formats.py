"""Day before month, the month as a word, 24 hours: as on the pages, and nothing ambiguous.

Django looks here because of ``FORMAT_MODULE_PATH``; its own formats for this language are American.
"""

from __future__ import annotations

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
YEAR_MONTH_FORMAT = "F Y"
MONTH_DAY_FORMAT = "j F"
FIRST_DAY_OF_WEEK = 1
# Forms show the first format. 03/04/2026 is refused, because it is in March to some people and in April to others.
DATE_INPUT_FORMATS = ["%Y-%m-%d", "%d %B %Y", "%d %b %Y"]
DATETIME_INPUT_FORMATS = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M", "%d %B %Y, %H:%M"]
