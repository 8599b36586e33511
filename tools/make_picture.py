"""Draw the picture of the README, docs/images/partition.png: ``python tools/make_picture.py``."""

from pathlib import Path

import matplotlib as mpl
from sklearn.datasets import load_breast_cancer

import partage as pt

TARGET = Path(__file__).parents[1] / "docs" / "images" / "partition.png"


def main() -> None:
    """Discretize the column of the demo that tells most, and draw its parts."""
    mpl.use("Agg")
    data = load_breast_cancer(as_frame=True)
    classes = data.target.map(dict(enumerate(data.target_names)))
    partition = pt.discretize(data.data["worst perimeter"], classes)
    figure = partition.plot().figure
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(TARGET, dpi=100, metadata={"Software": None})


if __name__ == "__main__":
    main()
