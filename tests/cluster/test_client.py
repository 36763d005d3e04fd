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

from cluster.asked import numbers
from rue.cluster.knock import knock
from rue.errors import RueError


def asked(address: str, out: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program, on a machine that has not joined the cluster and was told nothing of its token but where it is."""
    told = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    path = os.pathsep.join(sys.path)
    command = [sys.executable, "-m", "cluster.asked", address, str(out)]
    env = {**told, "PYTHONPATH": path, **environment}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False, timeout=300)


def test_everything_through_the_client(cluster: Any, token: str, tmp_path: Path) -> None:
    """Sweeps, seeds, reports, figures and a shared solve have the digits of this machine."""
    said = asked(f"ray://{cluster.client}", tmp_path / "there", RAY_AUTH_TOKEN=token)
    assert said.returncode == 0, said.stderr
    here = numbers(None, tmp_path / "here")
    assert json.loads(said.stdout) == json.loads(json.dumps(here))
    assert len(list((tmp_path / "there" / "run").glob("*.part"))) == 2


@pytest.mark.parametrize("kept", ["", "another"])
def test_a_token_that_is_not_the_clusters(
    kept: str, cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = asked(f"ray://{cluster.client}", tmp_path, HOME=str(tmp_path), **({"RAY_AUTH_TOKEN": kept} if kept else {}))
    assert f"the cluster at ray://{cluster.client} asks for its token" in said.stderr


def test_ports_of_something_else(cluster: Any) -> None:
    for address in (f"ray://{cluster.address}", cluster.client):
        with pytest.raises(RueError, match="another service .* takes the port of Ray's client server"):
            knock(address)
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
            with pytest.raises(RueError, match="what answers there is not Ray"):
                knock(f"{kind}127.0.0.1:{server.getsockname()[1]}")
        server.shutdown(socket.SHUT_RDWR)
