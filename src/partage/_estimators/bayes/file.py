"""Naive Bayes models as plain data: products of columns, counts of their codes, weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from partage._estimators.bayes.features import ColumnFeature, Feature, ProductFeature, n_codes
from partage._partitions.partition import Partition
from partage._saving.partitions import read_numbers, read_partition, read_partitions

__all__ = ["features_to_plain", "read_counts", "read_features"]


def features_to_plain(features: list[Feature]) -> dict[str, Any]:
    """Describe columns and products; a coding that several products use is written once."""
    codings: dict[int, Partition] = {}
    products = []
    for feature in features:
        if isinstance(feature, ProductFeature):
            codings.update({id(coding): coding for coding in feature.codings})
            products.append(feature)
    place = {key: i for i, key in enumerate(codings)}
    columns = [f.partition.to_dict() for f in features if isinstance(f, ColumnFeature)]
    return {
        "columns": columns,
        "codings": [coding.to_dict() for coding in codings.values()],
        "products": [
            {
                "members": list(product.members),
                "codings": [place[id(coding)] for coding in product.codings],
                "group_of": product.group_of.tolist(),
                "groups": product.groups.to_dict(),
            }
            for product in products
        ],
    }


def read_features(data: dict[str, Any], *, is_averaged: bool) -> list[Feature]:
    """Read columns and products."""
    partitions = list(read_partitions(data["columns"]).values())
    codings = [read_partition(plain) for plain in data["codings"]]
    columns = [ColumnFeature(k, found, is_averaged) for k, found in enumerate(partitions)]
    return [*columns, *(_read_product(plain, partitions, codings) for plain in data["products"])]


def _read_product(
    plain: dict[str, Any], partitions: list[Partition], codings: list[Partition]
) -> ProductFeature:
    """Read a product, and check that its pieces fit."""
    members = tuple(plain["members"])
    if len(set(members)) < len(members) or not set(members) <= set(range(len(partitions))):
        raise ValueError("members of a product are not columns")
    own = tuple(codings[i] for i in plain["codings"])
    if [coding.name for coding in own] != [partitions[k].name for k in members]:
        raise ValueError("codings of a product are of other columns")
    groups = read_partition(plain["groups"])
    group_of = np.array(plain["group_of"], dtype=np.int64)
    if plain["groups"]["type"] != "groups" or group_of.shape != (math.prod(map(n_codes, own)),):
        raise ValueError("group_of does not fit the cells of a product")
    if not ((group_of >= 0) & (group_of <= groups.n_parts)).all():
        raise ValueError("group_of names no group")
    return ProductFeature(members, own, group_of, groups)


def read_counts(
    plain: list[Any], features: list[Feature], n_classes: int
) -> list[NDArray[np.float64]]:
    """Read the class weights under the codes of each feature."""
    shapes = [(len(feature.labels()), n_classes) for feature in features]
    pairs = zip(plain, shapes, strict=True)
    return [read_numbers(rows, shape, "counts") for rows, shape in pairs]
