"""How large an uploaded file and its parts may be. Generous for people, small enough for one process."""

from __future__ import annotations

# Held in memory while it's read. The admin takes less (``MOST_BYTES`` in forms.py); this is for the command.
FILE_BYTES = 64 * 1024 * 1024
ITEM_CHARACTERS = 500_000
"""Ten fields of the maximum length; anything larger means that the end of an item was missed."""
TEXT_CHARACTERS = 50_000
"""Some 25 pages, more than any question has. It bounds what the HTML converter works on at once."""
FILES_CHARACTERS = 16 * 1024 * 1024  # for the images contained in an item of Moodle XML, in base64
XML_DEPTH = 100
"""Far deeper than real files, and far from exhausting the stack of the code that walks the tree."""
YAML_DEPTH = 30
"""Our own format needs a handful. YAML's parser recurses, so a file of brackets alone would end the process."""
OPTIONS = 14  # slots are the bits 1 to 14 of a mask (courseiva/common/masks.py)
VARIANTS = 14  # variants of a family; each needs its own key
CELLS = 200  # columns of a table
# A guard against archives that unpack to more than a machine has. Text packs to about a tenth, and small entries may
# happen to pack better, so the ratio only applies from a mebibyte on.
ARCHIVE_ENTRIES = 20_000
ARCHIVE_BYTES = 256 * 1024 * 1024  # of all entries together, unpacked
ENTRY_BYTES = FILE_BYTES
ARCHIVE_RATIO = 100  # the ratio of unpacked to packed, for an entry of a mebibyte or more
ARCHIVE_RATIO_FROM = 1024 * 1024
ROWS = 100_000  # rows of a sheet
