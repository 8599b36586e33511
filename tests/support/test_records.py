"""Frozen data classes: they do what those of the standard library do."""

import copy
import dataclasses
import inspect
import pickle
from typing import ClassVar

import pytest

from partage._support import records

LIBRARIES = {"ours": records.dataclass, "theirs": dataclasses.dataclass}


def classes(dataclass):
    """Make a class, one that inherits, and one that compares by itself."""

    @dataclass(frozen=True)
    class Base:
        one: int
        many: list[int] = dataclasses.field(default_factory=list)
        kind: ClassVar[str] = "base"

    @dataclass(frozen=True)
    class Derived(Base):
        hidden: int = dataclasses.field(default=3, repr=False, compare=False)
        text: str = "a"

        def __post_init__(self):
            object.__setattr__(self, "text", self.text.upper())

    @dataclass(frozen=True)
    class Odd:
        one: int

        def __eq__(self, other):
            return self.one % 2 == other.one % 2

        def __hash__(self):
            return self.one % 2

        def __repr__(self):
            return "odd" if self.one % 2 else "even"

    @dataclass(frozen=True, eq=False, repr=False)
    class Plain:
        held: int
        fields: int = 2

    return Base, Derived, Odd, Plain


def told(dataclass):
    """Tell what the classes of a library do."""
    Base, Derived, Odd, Plain = classes(dataclass)
    item = Derived(1, hidden=4)
    return [
        repr(item).rpartition(".")[2],
        repr(Base(2, [3])).rpartition(".")[2],
        vars(item),
        item == Derived(1, [], 5, "a"),
        item == Base(1),
        item != Derived(1, [], 4, "b"),
        Base(1).many is Base(1).many,
        vars(dataclasses.replace(item, one=7)),
        [(f.name, f.type, f.repr) for f in dataclasses.fields(Derived)],
        str(inspect.signature(Derived)),
        Derived.__match_args__,
        vars(copy.copy(item)),
        hash(Odd(3)) == hash(Odd(5)),
        Odd(3) == Odd(5),
        repr(Odd(4)),
        Plain(1) == Plain(1),
        vars(Plain(1)),
        hash(Derived(1, (2,))) == hash(Derived(1, (2,), 9)),
        dataclasses.asdict(item),
    ]


def test_they_tell_the_same():
    assert told(records.dataclass) == told(dataclasses.dataclass)


@pytest.mark.parametrize("name", LIBRARIES)
def test_fields_are_set_once(name):
    item = classes(LIBRARIES[name])[1](1)
    with pytest.raises(dataclasses.FrozenInstanceError, match=r"^cannot assign to field 'one'$"):
        item.one = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match=r"^cannot delete field 'one'$"):
        del item.one
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'one'"):
        type(item)()
    with pytest.raises(TypeError, match="unhashable"):
        hash(item)


def test_what_is_not_frozen_is_the_librarys():
    @records.dataclass(kw_only=True, eq=False)
    class Estimator:
        one: int = 1

    item = Estimator(one=2)
    item.one = 3
    assert item.one == 3


@records.dataclass(frozen=True)
class Kept:
    """A class that a pickle finds."""

    one: int
    two: tuple = ()


def test_they_are_pickled():
    item = Kept(1, (2,))
    assert pickle.loads(pickle.dumps(item)) == item
