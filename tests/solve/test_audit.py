"""What a table says of its own quality, held against the exact values."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import astragal
from astragal.games.ur.options import Options
from astragal.solve import audit
from astragal.solve.job import Job
from astragal.solve.positions import Positions

UR = astragal.game("ur")


def test_every_value_of_a_table_follows_from_the_others(tmp_path: Path) -> None:
    for bits in (8, 16):
        made = Job(UR, Options(pieces=2), tmp_path, bits=bits).run()
        found = audit.bellman(made, UR, sample=20_000)
        assert (found.positions, found.wrong) == (12_869, 0)
        assert 0 < found.worst <= 1 / (2**bits - 1)


def test_one_wrong_value_is_found_by_itself_or_by_those_that_lead_to_it(tmp_path: Path) -> None:
    made = Job(UR, Options(pieces=1), tmp_path).run()
    content = bytearray(made.file.read_bytes())
    content[-100] ^= 0x20  # the low byte of a value: 0.0005
    made.file.write_bytes(content)
    assert audit.bellman(made, UR).wrong >= 1


def test_rounding_to_fewer_bits_costs_more(tmp_path: Path) -> None:
    positions = Positions(UR, Options(pieces=2))
    made = Job(UR, Options(pieces=2), tmp_path, bits=16).run()
    exact = np.asarray(made.values) / 65535
    losses = [audit.rounding_loss(positions, lambda rank: float(exact[rank]), bits) for bits in (1, 4, 8, 16)]
    assert losses[0] > losses[1] > losses[2] > losses[3] == 0  # points of win chance
    eight = Job(UR, Options(pieces=2), tmp_path / "eight", bits=8).run().header
    assert eight.loss is not None
    assert made.header.loss is not None
    assert 0.001 < eight.loss < 0.01
    assert 0 <= made.header.loss < 0.0001
    assert eight.value == made.header.value  # as it was before rounding
