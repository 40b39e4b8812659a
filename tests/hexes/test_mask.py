"""Layers of hexes laid out as a number for each hex."""

from random import Random

from fronte.hexes import bits, layered, nth


def test_layered_is_the_layer_of_each_member() -> None:
    rng = Random(4)
    for size in (1, 9, 486):
        for _ in range(20):
            wanted = [rng.randrange(10) for _ in range(size)]
            layers = [sum(1 << h for h in range(size) if wanted[h] == number) for number in range(9)]
            assert layered(layers, size, 9) == wanted
            assert list(bits(layers[0])) == [h for h in range(size) if wanted[h] == 0]


def test_without_layers_all_lie_beyond() -> None:
    assert layered([], 5, 3) == [3, 3, 3, 3, 3]
    assert layered([0, 0], 2, 0) == [0, 0]


def test_a_member_is_found_by_its_number() -> None:
    rng = Random(5)
    for size in (1, 9, 486):
        mask = rng.getrandbits(size) | 1 << rng.randrange(size)
        assert [nth(mask, number) for number in range(mask.bit_count())] == list(bits(mask))
