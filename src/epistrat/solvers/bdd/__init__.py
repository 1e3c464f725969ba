"""Binary decision diagrams: one protocol, two libraries behind it."""

from epistrat.solvers.bdd.algebra import Algebra, Bdd, Cube, OutOfNodes, Renaming, open_algebra

__all__ = ["Algebra", "Bdd", "Cube", "OutOfNodes", "Renaming", "open_algebra"]
