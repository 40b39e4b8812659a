"""What is remembered for being asked again: never too much, and never let go all at once."""

from __future__ import annotations

from fronte.games.common.memory import Memory

MOST = 100


def test_what_was_kept_last_is_there_and_nothing_grows_without_end() -> None:
    memory: Memory[int, int] = Memory(MOST)
    for number in range(10 * MOST):
        assert memory.keep(number, -number) == -number
        assert memory[number] == -number and len(memory) <= MOST


def test_one_new_answer_costs_two_old_ones_at_most() -> None:
    memory: Memory[int, int] = Memory(MOST)
    for number in range(10 * MOST):
        before = len(memory)
        memory.keep(number, 0)
        assert len(memory) >= before - 1


def test_an_answer_that_is_given_again_while_others_go_is_counted_once() -> None:
    memory: Memory[int, int] = Memory(MOST)
    for number in range(3 * MOST):
        memory.keep(number % (MOST + 1), number)
        assert len(memory) <= MOST
