"""The hand-built vector instructions: each equals the plain Python of its docstring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from compiled_kernels import jitted
from zerosum.engine.updates.tiles import TILE, add_tile, add_tile_nonzero, transpose_tile
from zerosum.engine.updates.vectors import (
    LANES,
    any_lane,
    first_lanes,
    maximum,
    prefetch,
    read,
    read_full,
    read_scalar,
    vector,
    where,
    write,
    write_full,
    write_rounded,
    write_unless,
)
from zerosum.native.decorators import kernel

KINDS = [np.float16, np.float32, np.float64]
SIZE, AT = 3 * LANES, 5
ALL_LANES = range(LANES)


def numbers(kind: Any, seed: int, size: int = SIZE) -> Any:
    return np.random.default_rng(seed).integers(-40, 40, size).astype(kind) / kind(8)


def seen(array: Any) -> Any:
    """An array as kernels get it: 16-bit floats as whole numbers."""
    return array.view(np.uint16) if array.dtype == np.float16 else array


def on_vectors(operation: Callable[..., Any]) -> Any:
    """Compile a function that writes the result of an operation on two vectors."""
    compiled = kernel(operation)

    @jitted
    @kernel
    def run(first: Any, second: Any, out: Any) -> None:
        a, b = read_full(first, 0), read_full(second, 0)
        write_full(out, 0, compiled(a, b))

    return run


OPERATIONS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "+": (lambda a, b: a + b, lambda a, b: a + b),
    "-": (lambda a, b: a - b, lambda a, b: a - b),
    "*": (lambda a, b: a * b, lambda a, b: a * b),
    "/": (lambda a, b: a / b, lambda a, b: a / b),
    "a number": (lambda a, b: 2.0 * a - 1.0, lambda a, b: 2.0 * a - 1.0),
    "where >": (lambda a, b: where(a > b, a, b), lambda a, b: a if a > b else b),
    "most": (lambda a, b: maximum(a, b), max),
    "most, a number": (lambda a, b: maximum(a, 0.0), lambda a, b: max(a, 0.0)),
    "where ==": (lambda a, b: where(a == b, 1.0, b), lambda a, b: 1.0 if a == b else b),
}


@pytest.mark.parametrize("kind", KINDS[1:])
@pytest.mark.parametrize("name", OPERATIONS)
def test_operations(name: str, kind: Any) -> None:
    operation, plain = OPERATIONS[name]
    first, second, out = numbers(kind, 1), numbers(kind, 2), np.zeros(SIZE, kind)
    second[:4] = first[:4]
    second[second == 0.0] = 1.0
    on_vectors(operation)(first, second, out)
    np.testing.assert_array_equal(
        out[:LANES], [plain(a, b) for a, b in zip(first[:LANES], second[:LANES], strict=True)]
    )
    assert (out[LANES:] == 0.0).all()


@jitted
@kernel
def copy_around(array: Any, count: Any, some: Any, every: Any, copied: Any, whole: Any) -> Any:
    mask = first_lanes(count)
    prefetch(array, AT)
    write_full(some, 0, read(array, AT, mask))
    write_full(every, 0, read_full(array, AT))
    write(copied, AT, mask, read_full(array, AT))
    write_full(whole, AT, vector(array, 2.5))
    return read_scalar(array, AT)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", range(LANES + 2))
def test_reading_and_writing(kind: Any, count: int) -> None:
    """vector, lanes, number, read, read_all, write, write_all, expect."""

    array, wide = numbers(kind, 3), np.float32 if kind == np.float16 else kind
    some, every = np.zeros(LANES, wide), np.zeros(LANES, wide)
    copied, whole = np.full(SIZE, 7.0, kind), np.full(SIZE, 7.0, kind)
    assert copy_around(seen(array), count, some, every, seen(copied), seen(whole)) == array[AT]
    np.testing.assert_array_equal(some, [array[AT + k] if k < count else 0.0 for k in ALL_LANES])
    np.testing.assert_array_equal(every, [array[AT + k] for k in ALL_LANES])
    expected = np.full(SIZE, 7.0, kind)
    for k in ALL_LANES:
        expected[AT + k] = array[AT + k] if k < count else expected[AT + k]
    np.testing.assert_array_equal(copied, expected)
    expected[AT : AT + LANES] = 2.5
    np.testing.assert_array_equal(whole[AT:], expected[AT:])


@jitted
@kernel
def read_some(array: Any, at: Any, count: Any, out: Any) -> None:
    write_full(out, 0, read(array, at, first_lanes(count)))


@pytest.mark.parametrize("first", [False, True])
def test_reading_16_bits_beside_a_page(first: bool) -> None:
    """Memory behind the last number is never touched when it lies in another page."""

    memory = np.arange(3 * 4096, dtype=np.uint16).view(np.float16)
    start = (-memory.ctypes.data % 4096) // 2
    for count in range(1, LANES):
        at = start + 2048 - (count if first else count - 1)
        out = np.zeros(LANES, np.float32)
        read_some(seen(memory), at, count, out)
        expected = [memory[at + k] if k < count else 0.0 for k in ALL_LANES]
        np.testing.assert_array_equal(out, np.array(expected, np.float32))


@jitted
@kernel
def any_of(count: Any) -> Any:
    return any_lane(first_lanes(count))


@pytest.mark.parametrize("count", [0, 1, 9, LANES])
def test_anywhere(count: int) -> None:
    assert any_of(count) == any(k < count for k in ALL_LANES)


@jitted
@kernel
def round_and_write(array: Any, at: Any, count: Any, values: Any, salt: Any) -> None:
    write_rounded(array, at, first_lanes(count), read_full(values, 0), salt)


@pytest.mark.parametrize("count", range(LANES + 1))
def test_writing_by_chance(count: int) -> None:
    """16-bit floats are rounded at random to one of two neighbours, with the right mean; others are written exactly."""

    values = np.random.default_rng(4).normal(size=LANES).astype(np.float32)
    plain = np.full(SIZE, 7.0, np.float32)
    round_and_write(plain, AT, count, values, np.int32(1))
    np.testing.assert_array_equal(plain[AT : AT + LANES], [values[k] if k < count else 7.0 for k in ALL_LANES])
    total, rounds = np.zeros(LANES), 2000
    for salt in range(rounds):
        half = np.full(SIZE, 7.0, np.float16)
        round_and_write(seen(half), AT, count, values, np.int32(salt))
        assert (half[:AT] == 7.0).all()
        assert (half[AT + count :] == 7.0).all()
        total[:count] += half[AT : AT + count]
        assert (np.abs(half[AT : AT + count] - values[:count]) < np.abs(values[:count]) * 2.0**-10).all()
    mean = total[:count] / rounds
    np.testing.assert_allclose(mean, values[:count], rtol=2.0**-10 * 4 * 0.5 / rounds**0.5)


@jitted
@kernel
def write_what_is_left(array: Any, at: Any, count: Any, values: Any, salt: Any) -> None:
    write_unless(array, at, first_lanes(count), read_full(values, 0), salt)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", range(LANES + 1))
def test_writing_the_rest(kind: Any, count: int) -> None:
    """Lanes that are done stay as they are to the last bit, also the largest numbers that 16 bits hold."""

    values = numbers(np.float32 if kind == np.float16 else kind, 12, LANES)
    array = np.full(SIZE, 65504.0, kind)
    write_what_is_left(seen(array), AT, count, values, np.int32(3))
    expected = np.full(SIZE, 65504.0, kind)
    for k in ALL_LANES:
        expected[AT + k] = expected[AT + k] if k < count else values[k]
    np.testing.assert_array_equal(array, expected)


@jitted
@kernel
def transpose(source: Any, starts: Any, out: Any) -> None:
    transpose_tile(source, starts, 2, 3, out, 1, LANES)


@pytest.mark.parametrize("kind", KINDS[1:])
def test_transposing_a_tile(kind: Any) -> None:
    source, out = numbers(kind, 5, 1000), np.zeros(TILE * LANES, kind)
    starts = np.random.default_rng(6).integers(0, 900, TILE + 2)
    transpose(source, starts, out)
    expected = np.zeros_like(out)
    for k in range(TILE):
        for v in range(TILE):
            expected[1 + v * LANES + k] = source[starts[2 + k] + 3 + v]
    np.testing.assert_array_equal(out, expected)


@jitted
@kernel
def pay(lanes: Any, weights: Any, value: Any, targets: Any, amounts: Any, done: Any) -> None:
    add_tile(lanes, 5 * LANES + 4, weights, value, targets, amounts, 4, 8, done)
    add_tile_nonzero(lanes, 5 * LANES + 4, weights, value, targets, amounts, 4, 8, done)


@pytest.mark.parametrize("kind", KINDS[1:])
@pytest.mark.parametrize("done", range(TILE))
def test_paying_a_tile(kind: Any, done: int) -> None:
    lane_numbers, weights, amounts = numbers(kind, 7, 16 * LANES), numbers(kind, 8, 16), numbers(kind, 9, LANES)
    amounts[6] = 0.0
    value = numbers(kind, 10, LANES * 20)
    targets = np.random.default_rng(11).permutation(LANES) * 20
    expected = value.copy()
    for k in range(4, 4 + TILE):
        for v in range(8 + done, 8 + TILE):
            expected[targets[k] + v] += 2 * amounts[k] * weights[v] * lane_numbers[(v - 3) * LANES + k]
    pay(lane_numbers, weights, value, targets, amounts, done)
    np.testing.assert_array_equal(value, expected)
