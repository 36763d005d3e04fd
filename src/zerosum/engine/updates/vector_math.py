"""exp and log of vectors: straight runs of instructions, the same in every lane, without a call for each number.

Both split off a power of two by the bits of the number and leave the rest to a power series.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from zerosum.engine.updates.vector_memory import CONTRACT, LANES, make_constant
from zerosum.native.decorators import intrinsic
from zerosum.native.numba_api import ir


class FloatFormat:
    """A float type: the constants that exp and log need, and their instructions for vectors."""

    LOG2: ClassVar = {32: (0.693359375, -2.12194440054690583e-4), 64: (6.93145751953125e-1, 1.42860682030941723212e-6)}
    """log 2 in two parts; the first has so few bits that its product with a small integer is exact."""
    EXP_TERMS: ClassVar = {32: 7, 64: 13}
    LOG_TERMS = 10
    """Terms of the power series that leave an error below the rounding error."""
    LOG_NEAR_ONE: ClassVar = [
        3.3333331174e-1, -2.4999993993e-1, 2.0000714765e-1, -1.6668057665e-1, 1.4249322787e-1, -1.2420140846e-1,
        1.1676998740e-1, -1.1514610310e-1, 7.0376836292e-2,
    ]  # fmt: skip
    """(log(1 + x) - x + x^2/2) / x^3, fitted for float32 (Moshier's Cephes, logf)."""
    EXPONENTS: ClassVar = {32: (-87.3, 88.3), 64: (-708.3, 709.4)}
    """exp() is 0 below, and cut off above."""

    def __init__(self, builder: Any, kind: Any) -> None:
        self.builder, self.size = builder, kind.bitwidth
        self.vector = ir.VectorType(ir.FloatType() if self.size == 32 else ir.DoubleType(), LANES)
        self.bits = ir.VectorType(ir.IntType(self.size), LANES)
        self.mantissa = 23 if self.size == 32 else 52
        self.bias = (1 << (self.size - self.mantissa - 2)) - 1
        self.magic = 1.5 * 2.0**self.mantissa
        """Adding a number to this one rounds it to an integer, which the lowest bits of the sum hold."""
        self.magic_bits = ((self.bias + self.mantissa) << self.mantissa) + (1 << (self.mantissa - 1))

    def constant(self, value: float) -> Any:
        return make_constant(self.vector, value)

    def integer_constant(self, value: int) -> Any:
        return make_constant(self.bits, value)

    def add(self, x: Any, y: Any) -> Any:
        return self.builder.fadd(x, y, flags=CONTRACT)

    def multiply(self, x: Any, y: Any) -> Any:
        return self.builder.fmul(x, y, flags=CONTRACT)

    def sum_series(self, x: Any, coefficients: list[float]) -> Any:
        """Return the sum of coefficients[n] x^n."""
        total = self.constant(coefficients[-1])
        for coefficient in coefficients[-2::-1]:
            total = self.add(self.multiply(total, x), self.constant(coefficient))
        return total

    def exp(self, x: Any) -> Any:
        """Return e^x = 2^k e^r with an integer k and |r| <= log(2)/2; 2^k by its bits, e^r by its power series."""
        builder = self.builder
        rounded = self.add(self.multiply(x, self.constant(1.0 / math.log(2.0))), self.constant(self.magic))
        k = builder.fsub(rounded, self.constant(self.magic))
        high, low = self.LOG2[self.size]
        rest = self.add(self.multiply(k, self.constant(-high)), x)
        rest = self.add(self.multiply(k, self.constant(-low)), rest)
        power = self.sum_series(rest, [1.0 / math.factorial(n) for n in range(self.EXP_TERMS[self.size] + 1)])
        exponent = builder.add(builder.bitcast(rounded, self.bits), self.integer_constant(self.bias))
        scale = builder.bitcast(builder.shl(exponent, self.integer_constant(self.mantissa)), self.vector)
        return builder.fmul(power, scale)

    def exp_guarded(self, x: Any) -> Any:
        """Return e^x for any x: 0 where it is almost too small for the type, never infinite."""
        builder = self.builder
        least, most = (self.constant(bound) for bound in self.EXPONENTS[self.size])
        enough = builder.fcmp_ordered(">", x, least)
        cut = builder.select(builder.fcmp_ordered("<", x, most), x, most)
        return builder.select(enough, self.exp(builder.select(enough, cut, least)), self.constant(0.0))

    def log(self, x: Any) -> Any:
        """Return log x = k log 2 + log m with x = 2^k m, 1/sqrt(2) <= m < sqrt(2).

        log m = 2 atanh(s) with s = (m - 1)/(m + 1).
        """
        builder = self.builder
        tiny = builder.fcmp_ordered("<", x, self.constant(2.0 ** (2 - self.bias)))
        lift = self.mantissa + 1
        x = builder.select(tiny, builder.fmul(x, self.constant(2.0**lift)), x)
        bits = builder.bitcast(x, self.bits)
        root = (self.bias - 1 << self.mantissa) + int((math.sqrt(2.0) - 1.0) * 2.0**self.mantissa)
        offset = (self.bias << self.mantissa) - root
        above = builder.lshr(builder.add(bits, self.integer_constant(offset)), self.integer_constant(self.mantissa))
        biased = builder.bitcast(builder.add(above, self.integer_constant(self.magic_bits)), self.vector)
        k = builder.fsub(biased, self.constant(self.magic + self.bias))
        k = builder.select(tiny, builder.fsub(k, self.constant(lift)), k)
        exponent = builder.shl(
            builder.sub(above, self.integer_constant(self.bias)), self.integer_constant(self.mantissa)
        )
        m = builder.bitcast(builder.sub(bits, exponent), self.vector)
        high, low = self.LOG2[self.size]
        return self.add(
            self.multiply(k, self.constant(high)), self.add(self.multiply(k, self.constant(low)), self.log_near_one(m))
        )

    def log_near_one(self, m: Any) -> Any:
        """Return 2 atanh((m - 1)/(m + 1)) by its power series; for float32 by a polynomial in m - 1."""
        builder, unit = self.builder, self.constant(1.0)
        x = builder.fsub(m, unit)
        if self.size == 32:
            square = builder.fmul(x, x)
            rest = self.multiply(self.sum_series(x, self.LOG_NEAR_ONE), x)
            return self.add(self.multiply(self.add(rest, self.constant(-0.5)), square), x)
        s = builder.fdiv(x, builder.fadd(m, unit))
        coefficients = [2.0 / (2 * n + 1) for n in range(self.LOG_TERMS + 1)]
        return self.multiply(self.sum_series(builder.fmul(s, s), coefficients), s)

    def power_of_two_scale(self, x: Any) -> Any:
        """Return 2^k such that 1/2 <= 2^k x < 1, by the bits of x; roughly for the smallest and largest numbers."""
        builder = self.builder
        exponent = builder.lshr(builder.bitcast(x, self.bits), self.integer_constant(self.mantissa))
        most = self.integer_constant(2 * self.bias - 2)
        exponent = builder.select(builder.icmp_unsigned("<", exponent, most), exponent, most)
        other = builder.sub(self.integer_constant(2 * self.bias - 1), exponent)
        return builder.bitcast(builder.shl(other, self.integer_constant(self.mantissa)), self.vector)


def _make_math_intrinsic(method: Any, x: Any) -> Any:
    """Return the signature and the code of an intrinsic that applies a method of `FloatFormat` to a vector."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return method(FloatFormat(builder, x.dtype), arguments[0])

    return x(x), generate


@intrinsic
def exp(typing_context: Any, x: Any) -> Any:
    """Return e^x, accurate to a digit or two; 0 where it is almost too small for the type, never infinite."""
    return _make_math_intrinsic(FloatFormat.exp_guarded, x)


@intrinsic
def exp_unchecked(typing_context: Any, x: Any) -> Any:
    """Return e^x for an x whose e^x is neither too large nor too small for the type, say |x| < 80."""
    return _make_math_intrinsic(FloatFormat.exp, x)


@intrinsic
def log(typing_context: Any, x: Any) -> Any:
    """Return the natural logarithm, accurate to a digit or two; the result for x <= 0 is meaningless."""
    return _make_math_intrinsic(FloatFormat.log, x)


@intrinsic
def power_of_two_scale(typing_context: Any, x: Any) -> Any:
    """Return the power of two that brings each positive x to about 1; multiplying by it is exact."""
    return _make_math_intrinsic(FloatFormat.power_of_two_scale, x)
