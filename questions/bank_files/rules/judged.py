"""An exam's ``cueing.yaml``: pairs reviewed for whether one gives away the other's key; pure."""

from __future__ import annotations

from pathlib import Path

from questions.catalogue.rules.yaml_fields import BadField, date, list_of, mapping, plain, read_yaml

CUEING_FILE = "cueing.yaml"
HARMLESS, HELPS = "harmless", "helps"


def read_judged(path: Path) -> set[tuple[str, str]]:
    """The pairs judged harmless: the id of the source (a question or ``modules/<slug>``), and of the question it is
    about.

    A pair judged to help stays a finding until one of the two is reworded. Raises BadField or BadYaml.
    """
    if not path.exists():
        return set()
    top = mapping(read_yaml(path.read_text(encoding="utf-8"))[0], "", {"judged"})
    found = set()
    for i, value in enumerate(list_of(top["judged"], "judged")):
        here = f"judged[{i}]"
        row = mapping(value, here, {"tells", "about", "verdict", "why", "reader", "on"})
        for name in ("tells", "about", "why", "reader"):
            if not plain(row[name], f"{here}.{name}"):
                raise BadField(f"{here}.{name}", "is empty")
        date(row["on"], f"{here}.on")
        if row["verdict"] not in (HARMLESS, HELPS):
            raise BadField(f"{here}.verdict", f"must be {HARMLESS} or {HELPS}")
        if row["verdict"] == HARMLESS:
            found.add((row["tells"], row["about"]))
    return found
