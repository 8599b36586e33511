"""The partitions of a table without scikit-learn, which commands need not load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from partage._data.conversions import convert_table
from partage._data.table import read_table
from partage._display.outputs import output_names
from partage._estimators.fit import Opened, open_table
from partage._estimators.fitted import FittedColumns
from partage._estimators.plan import Plan, check_plan
from partage._estimators.transform import transform_columns
from partage._saving.models import read_model, restore
from partage._support.checks import OUTPUTS, check_choice, check_jobs, check_sign
from partage.exceptions import PartageError

__all__ = ["TableModel"]

_DEFAULTS: dict[str, Any] = {
    "output": "code",
    "positive": None,
    "woe_sign": 1,
    "drop_uninformative": False,
    "n_jobs": None,
}
_TAKES = {"TablePartitioner": "kinds", "Discretizer": "numbers", "Grouper": "categories"}


class TableModel(FittedColumns):
    """What a table estimator knows and does, without scikit-learn: it is not one itself.

    Its model file is that of the estimator it stands for, a ``TablePartitioner`` by default.

    Parameters
    ----------
    stands_for : str, default="TablePartitioner"
        Name of the estimator.
    **parameters
        Those of the estimator.
    """

    def __init__(self, stands_for: str = "TablePartitioner", **parameters: Any) -> None:
        self._stands_for = stands_for
        self._parameters = parameters
        vars(self).update(_DEFAULTS | parameters)

    @classmethod
    def load(cls, path: str | Path) -> TableModel:
        """Read a model file that holds the partitions of columns."""
        data = read_model(path)
        if data.get("estimator") not in _TAKES:
            raise PartageError(
                f"load: {path} must hold a TablePartitioner, Discretizer or Grouper; it holds a "
                f"{data.get('estimator')}. Read it in Python with partage.load."
            )
        return restore(path, data, lambda name, given: cls(name, **given))  # type: ignore[no-any-return]  # any model

    @property
    def _name(self) -> str:
        return self._stands_for

    def _own_parameters(self) -> dict[str, Any]:
        return self._parameters

    def _plan(self) -> Plan:
        check_choice(self._name, "output", self.output, OUTPUTS)
        check_sign(self._name, "woe_sign", self.woe_sign)
        return check_plan(self._name, vars(self), _TAKES[self._name])

    def _jobs(self) -> int:
        return check_jobs(self._name, vars(self)["n_jobs"])

    def _open(self, who: str, plan: Plan, given: tuple[Any, Any, str | None, Any]) -> Opened:
        opened = open_table(who, plan, *given)
        self._set_columns(list(opened.columns.names), has_names=True)
        return opened

    def transform(self, X: Any) -> NDArray[Any] | Any:
        """Replace each value of the fitted columns by what its part stands for."""
        who = f"{self._name}.transform"
        check_choice(self._name, "output", self.output, OUTPUTS)
        X = convert_table(X, self._conversions)
        columns = self._kept_columns()
        return transform_columns(who, read_table(who, X), columns, self.output, self._jobs())

    def feature_names(self) -> list[str]:
        """Names of the columns that ``transform`` gives."""
        return [
            name
            for _, partition in self._kept_columns()
            for name in output_names(partition, partition.name, self.output)
        ]
