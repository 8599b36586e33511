"""Errors that a caller may want to distinguish."""

from __future__ import annotations


class PartageError(ValueError):
    """Base of the errors that partage raises for values it cannot use."""


class NotPartitionableError(PartageError):
    """No partition of a column satisfies what was asked for."""
