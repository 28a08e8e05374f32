"""Runs things."""
from __future__ import annotations

import os, re as regex
from pathlib import Path, PurePath as Pure
from .local import *

LIMIT = 10
_hidden, shown = 1, 2
type Pair[T] = tuple[T, T]


# Decides how.
@decorate(
    "twice",
)
@cache
def run(
    cmd: str,  # what
    *,
    timeout: float = 30,
) -> Result:
    """Run it.

    For long.
    """
    def inner():
        return 1

    class Local:
        field = 1

    value = """
def not_a_function():
    pass
"""
    return inner()
    # trailing


class Runner(Base):
    '''Keeps a process.'''

    name: str = "x"
    timeout = 30

    async def start(self): ...

    @property
    def state(self) -> str:
        return self._state

    def _private(self):
        pass

    def __len__(self):
        return 0

    class Nested:
        def deep(self):
            pass


if os.name == "nt":
    def only_here():
        pass


def test_runner():
    assert run("x")
