"""The states that histories lead to, moment by moment."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.solvers.bdd import Bdd


class Line:
    """Layers from a first one on, made when they are asked for; ``parent`` is the moment of another line at which this one branches off.

    Places are numbers of layers.  Behind the last one the line goes on at ``back``, once that is known.
    """

    def __init__(self, first: Bdd, onwards: Callable[[Bdd], Bdd], parent: tuple[Line, int] | None = None) -> None:
        self.parent = parent
        self._onwards = onwards
        self._layers = [first]
        self._number = {first: 0}
        self.back: int | None = None

    def __getitem__(self, place: int) -> Bdd:
        return self._layers[place]

    def __len__(self) -> int:
        return len(self._layers)

    def after(self, place: int) -> int:
        """The place one step later."""
        if place + 1 < len(self._layers):
            return place + 1
        if self.back is None:
            layer = self._onwards(self._layers[place])
            self.back = self._number.get(layer)
            if self.back is None:
                self._number[layer] = place + 1
                self._layers.append(layer)
                return place + 1
        return self.back

    def close(self) -> range:
        """All places; every history leads to one of them."""
        while self.back is None:
            self.after(len(self._layers) - 1)
        return range(len(self._layers))

    @property
    def steps(self) -> list[tuple[int, int]]:
        """The steps made so far, from place to place."""
        made = [(place, place + 1) for place in range(len(self._layers) - 1)]
        return made if self.back is None else [*made, (len(self._layers) - 1, self.back)]
