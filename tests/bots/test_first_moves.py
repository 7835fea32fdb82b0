"""What `benchmarks.first_moves` measures: right after installing, nobody waits for a compiler."""

from __future__ import annotations

from benchmarks import first_moves


def test_where_nothing_is_compiled_yet_the_greedy_bot_moves_for_a_level_until_it_is() -> None:
    told = first_moves.in_a_new_process("ur", "master", 2, 1)
    assert told["by"] == "greedy"
    assert 0 < told["first"] < told["own"]
    assert 0 < told["median"] <= told["longest"]
    assert first_moves.row(told).startswith("| ur, 2 players | master | ")


def test_every_game_is_measured_at_its_smallest_and_its_largest_table() -> None:
    assert list(first_moves.tables()) == [
        ("egar", 2), ("egar", 4), ("nile", 2), ("nile", 4), ("ur", 2), ("ur-modern", 2)
    ]  # fmt: skip
