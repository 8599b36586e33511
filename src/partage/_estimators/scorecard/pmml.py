"""A scorecard as PMML: plain XML of the ``Scorecard`` model of version 4.4."""

from __future__ import annotations

import decimal
import re
import xml.etree.ElementTree as ET  # written, never read
from typing import Any

import numpy as np

from partage._estimators.scorecard.export import Exported
from partage._partitions.rule import Decisions

__all__ = ["scorecard_pmml"]

_WHO = "Scorecard.to_pmml"
_PLAIN = re.compile(r"[A-Za-z0-9_.-]+( [A-Za-z0-9_.-]+)*")
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def scorecard_pmml(card: Exported) -> str:
    """Write a document that engines of PMML score with."""
    root = ET.Element("PMML", version="4.4", xmlns="http://www.dmg.org/PMML-4_4")
    ET.SubElement(ET.SubElement(root, "Header"), "Application", name="partage")
    rules = [partition.rule.decisions() for partition in card.partitions]
    fields = ET.SubElement(root, "DataDictionary", numberOfFields=str(len(rules) + 1))
    for rule in rules:
        _check(rule)
        kind, optype = _type(rule)
        attributes = {"name": _text(rule.name), "optype": optype, "dataType": kind}
        ET.SubElement(fields, "DataField", attributes)
    ET.SubElement(fields, "DataField", name="points", optype="continuous", dataType="double")
    has_reasons = str(card.n_reasons > 0).lower()
    model = ET.SubElement(
        root,
        "Scorecard",
        functionName="regression",
        initialScore="0",
        useReasonCodes=has_reasons,
        reasonCodeAlgorithm="pointsBelow",
    )
    schema = ET.SubElement(model, "MiningSchema")
    for rule in rules:
        attributes = {"name": _text(rule.name), "missingValueTreatment": "asIs"}
        ET.SubElement(schema, "MiningField", attributes, invalidValueTreatment="asIs")
    ET.SubElement(schema, "MiningField", name="points", usageType="target")
    _write_outputs(model, card)
    characteristics = ET.SubElement(model, "Characteristics")
    for i, rule in enumerate(rules):
        _write_column(characteristics, card, i, rule)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _write_outputs(model: ET.Element, card: Exported) -> None:
    """Name the score and the reasons."""
    output = ET.SubElement(model, "Output")
    attributes = {"optype": "continuous", "dataType": "double", "feature": "predictedValue"}
    ET.SubElement(output, "OutputField", {"name": "score", **attributes})
    for k in range(1, min(card.n_reasons, len(card.names)) + 1):
        attributes = {"optype": "categorical", "dataType": "string", "feature": "reasonCode"}
        ET.SubElement(output, "OutputField", {"name": f"reason_{k}", "rank": str(k), **attributes})


def _write_column(parent: ET.Element, card: Exported, i: int, rule: Decisions) -> None:
    """Write the parts of a column: the first predicate that holds decides."""
    points, lost = card.points[i], card.lost[i]
    attributes = {"name": _text(rule.name), "reasonCode": _text(rule.name)}
    compared = float(points[0] + lost[0])
    characteristic = ET.SubElement(
        parent, "Characteristic", attributes, baselineScore=_number(compared)
    )

    def attribute(code: int) -> ET.Element:
        return ET.SubElement(characteristic, "Attribute", partialScore=_number(points[code]))

    field = _text(rule.name)
    for value, code in rule.special:
        _compare(attribute(code), field, "equal", value)
    if rule.missing is not None:
        ET.SubElement(attribute(rule.missing), "SimplePredicate", field=field, operator="isMissing")
    for code, cut in enumerate(rule.cuts):
        _compare(attribute(code), field, "lessOrEqual", cut)
    for code, values in rule.values:
        _write_values(attribute(code), field, values)
    ET.SubElement(attribute(rule.otherwise), "True")


def _check(rule: Decisions) -> None:
    """Refuse columns that PMML cannot compare."""
    values = [value for _, group in rule.values for value in group]
    is_time = rule.kind is not None and rule.kind.is_time
    plain = (str, bool, int, float, np.generic, decimal.Decimal)
    other = next((v for v in values if not isinstance(v, plain)), None)
    if is_time or other is not None or len(rule.types) > 1 or rule.foreign:
        held = "times" if is_time else "values that are neither all text, nor numbers, nor truths"
        raise ValueError(
            f"{_WHO}: columns must hold numbers, text or truth values; column {rule.name!r} holds "
            f"{held}. Convert it before fitting, or use to_sql or to_python."
        )


def _type(rule: Decisions) -> tuple[str, str]:
    """Type of a column's values, and whether they are compared by size."""
    if rule.kind is not None:
        return "double", "continuous"
    if rule.types == ("boolean",):
        return "boolean", "categorical"
    return ("double", "categorical") if rule.types == ("number",) else ("string", "categorical")


def _write_values(attribute: ET.Element, field: str, values: tuple[Any, ...]) -> None:
    """Test whether a column has one of some values."""
    if all(isinstance(value, str) and _PLAIN.fullmatch(value) for value in values):
        held = ET.SubElement(attribute, "SimpleSetPredicate", field=field, booleanOperator="isIn")
        array = ET.SubElement(held, "Array", n=str(len(values)), type="string")
        array.text = " ".join(f'"{value}"' for value in values)
    elif len(values) == 1:
        _compare(attribute, field, "equal", values[0])
    else:  # engines differ in what escapes a quote in an array
        held = ET.SubElement(attribute, "CompoundPredicate", booleanOperator="or")
        for value in values:
            _compare(held, field, "equal", value)


def _compare(attribute: ET.Element, field: str, operator: str, value: Any) -> None:
    """Compare a column with a value."""
    plain = {"field": field, "operator": operator, "value": _value(value)}
    ET.SubElement(attribute, "SimplePredicate", plain)


def _value(value: Any) -> str:
    """Write a value as XML Schema does."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    return _number(float(value))


def _number(value: float) -> str:
    """Write a float that is read back as the same float."""
    value = float(value)
    if np.isinf(value):
        return "INF" if value > 0 else "-INF"
    return repr(value)


def _text(text: str) -> str:
    """Refuse text that no XML document can hold."""
    if _FORBIDDEN.search(text):
        raise ValueError(
            f"{_WHO}: text must hold letters that XML has; got {text!r}. Use to_sql or to_python."
        )
    return text
