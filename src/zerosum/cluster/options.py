"""The options of work on a cluster."""

from __future__ import annotations

from typing import Annotated, TypedDict

from zerosum.support.options import Option


# fmt: off
class ClusterOptions(TypedDict, total=False):
    """Where a run is computed, if not on this machine."""

    on: Annotated[str | None, Option("Share the deals of a spot on a Ray cluster: local, auto or ray://HOST:PORT.",
        "ADDRESS", manual="See [cluster.md](cluster.md).")]
    machines: Annotated[int | None, Option("Number of workers that share the deals.", "N", least=1,
        default_text="one per machine")]
# fmt: on
