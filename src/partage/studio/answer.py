"""``Answer``: what is sent to a browser."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answer"]

_JSON = "application/json; charset=utf-8"


@dataclass(frozen=True)
class Answer:
    """What is sent to a browser."""

    body: bytes
    kind: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_json(cls, data: Any, status: int = 200) -> Answer:
        """Write plain data."""
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return cls(text.encode("utf-8", "replace"), _JSON, status)

    @classmethod
    def of_file(cls, name: str, kind: str, content: bytes) -> Answer:
        """Give a file that the browser saves."""
        return cls(content, kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
