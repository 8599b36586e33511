"""``Answers``: what the page asks of a desk, address by address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from partage._report.page_data import page_data
from partage.studio.answer import Answer
from partage.studio.card import show_card, show_pair
from partage.studio.commands import Refused
from partage.studio.desk import Desk
from partage.studio.export import EXPORTS
from partage.studio.guard import Denied
from partage.studio.keeping import Keeper
from partage.studio.values import show_values
from partage.studio.view import show_certainty, show_column, show_desk, show_row, summary_of

__all__ = ["Answers"]


class Answers:
    """Asks the desk, and writes what it says.

    Parameters
    ----------
    desk : Desk
        The columns.
    keeper : Keeper
        What saves them.
    """

    def __init__(self, desk: Desk, keeper: Keeper) -> None:
        self.desk = desk
        self.keeper = keeper
        self._get: dict[str, Callable[[Mapping[str, str]], Answer]] = {
            "/api/desk": lambda _: Answer.of_json(show_desk(self.desk) | self._saved()),
            "/api/column": self._column,
            "/api/certainty": self._certainty,
            "/api/values": self._values,
            "/api/card": lambda asked: Answer.of_json(show_card(self.desk, asked)),
            "/api/pair": lambda asked: Answer.of_json(show_pair(self.desk, asked)),
            **{path: partial(self._export, path) for path in EXPORTS},
        }
        self._post: dict[str, Callable[[Mapping[str, Any]], Answer]] = {
            "/api/do": self._do,
            "/api/preview": self._preview,
            "/api/save": self._save,
        }

    def head(self) -> dict[str, Any]:
        """Give what the page starts with."""
        told = summary_of(self.desk)
        return page_data(told) | show_desk(self.desk) | self._saved() | {"source": told.source}

    def get(self, path: str, asked: Mapping[str, str]) -> Answer:
        """Answer what changes nothing."""
        if path not in self._get:
            raise Denied(404, "There is nothing at this address.")
        return self._get[path](asked)

    def post(self, path: str, asked: Mapping[str, Any]) -> Answer:
        """Answer what may change something."""
        if path not in self._post:
            raise Denied(404, "There is nothing at this address.")
        return self._post[path](asked)

    def _saved(self) -> dict[str, Any]:
        """Say whether all is saved, and where."""
        return {
            "isSaved": self.keeper.is_saved or self.desk.is_read_only,
            "path": str(self.keeper.path),
            "trouble": self.keeper.trouble,
        }

    def _column(self, asked: Mapping[str, str]) -> Answer:
        return Answer.of_json(show_column(self.desk, self.desk.sheet(asked.get("name"))))

    def _certainty(self, asked: Mapping[str, str]) -> Answer:
        return Answer.of_json(show_certainty(self.desk, self.desk.sheet(asked.get("name"))))

    def _values(self, asked: Mapping[str, str]) -> Answer:
        sheet = self.desk.sheet(asked.get("name"))
        return Answer.of_json(show_values(self.desk, sheet, asked))

    def _do(self, asked: Mapping[str, Any]) -> Answer:
        sheet = self.desk.do(asked)
        return Answer.of_json(
            {
                "column": show_column(self.desk, sheet),
                "row": show_row(self.desk, sheet),
                **self._saved(),
            }
        )

    def _preview(self, asked: Mapping[str, Any]) -> Answer:
        return Answer.of_json({"column": show_column(self.desk, self.desk.preview(asked))})

    def _export(self, path: str, asked: Mapping[str, str]) -> Answer:
        return EXPORTS[path](self.desk, asked)

    def _save(self, _: Mapping[str, Any]) -> Answer:
        try:
            self.keeper.save()
        except (OSError, TypeError) as error:  # a full disk, values that no file holds
            raise Refused(f"The model could not be saved: {error}.") from error
        return Answer.of_json(self._saved())
