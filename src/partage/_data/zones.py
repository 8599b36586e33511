"""Time zones: which are known, which one several share, and where one is wanted."""

from __future__ import annotations

from collections.abc import Iterable


def is_zone(name: str) -> bool:
    """Whether a zone of this name is known."""
    import pandas as pd

    try:
        pd.Timestamp(0, tz=name)
    except Exception:  # each version of pandas has an error of its own
        return False
    return True


def common_zone(zones: Iterable[str]) -> str:
    """Choose the zone of instants from several zones: theirs, or UTC."""
    found = set(zones)
    return found.pop() if len(found) == 1 else "UTC" if found else ""


def check_zone(who: str, name: str, fitted: str, given: str) -> None:
    """Refuse times with a zone for times without one, and the other way round."""
    if fitted and not given:
        raise TypeError(
            f"{who}: column {name!r} must hold times with a zone as in fit, where it was {fitted}; "
            f"got times without one. Give them theirs, as pandas' x.dt.tz_localize({fitted!r}) "
            "does."
        )
    if given and not fitted:
        raise TypeError(
            f"{who}: column {name!r} must hold times without a zone as in fit; got times in "
            f"{given}. Take the clock of the zone that fit had, as pandas' "
            "x.dt.tz_convert('UTC').dt.tz_localize(None) does for UTC."
        )
