"""Games of a network against itself on a graphics card; see `tools.selfplay`."""

from __future__ import annotations

from functools import cache
from typing import Any

from astragal.bots.kernels_network import Net
from astragal.core.compiled import cuda as on_device
from tools.selfplay import Play, lesson
from tools.teaching_cuda import CudaLessons, cuda


@cache
def _launcher(kernels: Any) -> Any:
    """Compiled once for all tables of a game."""
    device = on_device(lesson, kernels)

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(first: Any, play: Any, net: Any, mover_at: Any, features: Any, seen: Any, targets: Any) -> None:
        lane = cuda.grid(1)
        if lane < len(targets):
            weights = Net(
                net[0], net[1], net[2], net[3], net[4], net[5], mover_at, features, play[14], play[15], play[16]
            )
            lanes = Play(
                play[0], play[1], play[2], play[3], play[4], play[5], play[6], play[7], play[8], play[9], play[10],
                play[11], play[12], play[13], play[14], play[15], play[16],
            )  # fmt: skip
            device(lane, first, lanes, weights, seen, targets)

    return launch


class CudaPlay:
    """Lessons on one graphics card, with the weights of a network as they are then."""

    def __init__(self, play: Play, first: Any, kernels: Any, inputs: int) -> None:
        self._lessons = CudaLessons(_launcher(kernels), [play], len(play.states), first, inputs)

    def __call__(self, net: Net) -> tuple[Any, Any]:
        weights = tuple(cuda.as_cuda_array(array) for array in net[:6])
        return self._lessons(weights, net.mover_at, net.features)
