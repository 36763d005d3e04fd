"""Algorithms that sample, for tests that try each of them."""

from __future__ import annotations

SAMPLED = ["mccfr", "mccfr+", "os-mccfr", "os-mccfr(0.3)", "vr-mccfr", "cs-cfr"]
DISCOUNTED = ["linear-mccfr(500)", "discounted-os-mccfr(1.5, 0, 2, 300)", "initial-discount-cs-cfr(0.1, 700)"]
