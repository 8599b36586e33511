"""Keep results as CSV files, and describe the machine they come from."""

import csv
import os
import platform
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def machine():
    """Processor, cores, memory and system, without names that identify a machine."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "memory_gib": round(memory),
        "system": platform.system(),
    }


def read(path):
    """Rows of a CSV file, none if it is not there."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _text(value):
    """Write a number with six digits, anything else as it is."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def replace(path, rows, key):
    """Write rows to a CSV file instead of those of the file that have the same key."""
    fresh = [{name: _text(value) for name, value in row.items()} for row in rows]
    replaced = {row[key] for row in fresh}
    kept = [row for row in read(path) if row[key] not in replaced] + fresh
    names = list(dict.fromkeys(name for row in kept for name in row))
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)
