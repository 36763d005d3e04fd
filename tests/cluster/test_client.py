"""A cluster that is reached through Ray's client, and one that asks for a token."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from cluster.remote_numbers import numbers
from zerosum.cluster.connection import check_address
from zerosum.support.errors import ZerosumError


def run_client(address: str, out: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program as on a machine outside the cluster that knows nothing of its token but the file it is in."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    path = os.pathsep.join(sys.path)
    command = [sys.executable, "-m", "cluster.remote_numbers", address, str(out)]
    env = {**inherited, "PYTHONPATH": path, **environment}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False, timeout=300)


def test_everything_through_the_client(cluster: Any, token: str, tmp_path: Path) -> None:
    """Sweeps, seeds, reports, figures and a shared solve have the digits of this machine."""
    process = run_client(f"ray://{cluster.client}", tmp_path / "there", RAY_AUTH_TOKEN=token)
    assert process.returncode == 0, process.stderr
    local = numbers(None, tmp_path / "here")
    assert json.loads(process.stdout) == json.loads(json.dumps(local))
    assert len(list((tmp_path / "there" / "run").glob("*.part"))) == 2


@pytest.mark.parametrize("wrong_token", ["", "another"])
def test_a_token_that_is_not_the_clusters(
    wrong_token: str, cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = run_client(
        f"ray://{cluster.client}",
        tmp_path,
        HOME=str(tmp_path),
        **({"RAY_AUTH_TOKEN": wrong_token} if wrong_token else {}),
    )
    assert f"the cluster at ray://{cluster.client} requires its token" in process.stderr


def test_ports_of_something_else(cluster: Any) -> None:
    for address in (f"ray://{cluster.address}", cluster.client):
        with pytest.raises(ZerosumError, match="another service .* needs the port of Ray's client server"):
            check_address(address)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            while True:
                try:
                    there = server.accept()[0]
                except OSError:
                    return
                there.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                there.close()

        threading.Thread(target=answer, daemon=True).start()
        for kind in ("ray://", ""):
            with pytest.raises(ZerosumError, match="another service answers there"):
                check_address(f"{kind}127.0.0.1:{server.getsockname()[1]}")
        server.shutdown(socket.SHUT_RDWR)
