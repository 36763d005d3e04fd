"""Access needs the token and this machine's host name, and is denied to pages of other sites."""

from __future__ import annotations

import asyncio
import signal
import socket
import stat
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from explorer_page import BASE, TOKEN, Page

from command import COMMAND
from zerosum.explorer.server import open_socket

HOSTS = ("evil.com", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:9376.evil.com", "evil.com:9376", "", "0.0.0.0:9376")
ORIGINS = (
    "http://evil.com",
    "null",
    "http://127.0.0.1:9999",
    "https://127.0.0.1:9376",
    "http://localhost:9376.evil.com",
)
PLACES = ("", "api/state", "api/runs", "api/events", "static/js/main.js")


@pytest.mark.parametrize(
    "path", ["/", "/api/state", "/static/js/main.js", "/wrong/api/runs", f"/{TOKEN}x/", "//token/"]
)
def test_without_the_token_nothing_is_served(page: Page, path: str) -> None:
    answer = page.client.get(f"{BASE}{path}")
    assert answer.status_code == 403
    assert "token" in answer.text
    assert TOKEN not in answer.headers.get("location", "")


def test_no_answer_waits_for_the_page_to_confirm_the_one_before() -> None:
    async def send_request() -> int:
        answers: list[asyncio.StreamWriter] = []  # from 3.13 on Python closes what nobody holds
        listening = open_socket(0)
        async with await asyncio.start_server(lambda _, answer: answers.append(answer), sock=listening):
            _, out = await asyncio.open_connection(*listening.getsockname())
            while not answers:
                await asyncio.sleep(0.01)
            at_once = answers[0].get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for answer in (out, *answers):
                answer.close()
            return int(at_once)

    assert asyncio.run(send_request())


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("place", PLACES)
def test_a_foreign_host_is_refused_also_with_the_token(page: Page, host: str, place: str) -> None:
    answer = page.client.get(f"/{TOKEN}/{place}", headers={"Host": host})
    assert 400 <= answer.status_code < 500


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_foreign_origin_is_refused_also_with_the_token(page: Page, origin: str) -> None:
    for verb in ("GET", "POST", "PUT", "DELETE", "OPTIONS"):
        answer = page.client.request(verb, f"/{TOKEN}/api/runs", headers={"Origin": origin})
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers


def test_the_page_and_its_files_are_served_with_a_policy(page: Page) -> None:
    for place in ("", "static/js/main.js", "static/css/base.css", "api/state"):
        answer = page.client.get(f"/{TOKEN}/{place}", headers={"Origin": BASE})
        assert answer.status_code == 200
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert page.client.get(f"/{TOKEN}", follow_redirects=False).headers["location"] == f"/{TOKEN}/"


@pytest.mark.parametrize("path", ["../app.py", "%2e%2e/app.py", "..%2fapp.py", "js/../../app.py", "/etc/passwd"])
def test_no_file_outside_the_page_is_served(page: Page, path: str) -> None:
    answer = page.client.get(f"{BASE}/{TOKEN}/static/{path}")
    assert answer.status_code in (403, 404)


def test_it_listens_on_this_machine_only_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    command = [*COMMAND, "explore", "--folder", str(tmp_path / "runs"), "--no-open", "--port", "0"]
    door = tmp_path / "runs" / "open-explorer.html"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("zerosum explore: http://127.0.0.1:")
            assert urllib.request.urlopen(line.split()[2]).status == 200
            assert line.split()[2] in door.read_text()
            assert stat.S_IMODE(door.stat().st_mode) == 0o600
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, err) == (0, "")
    assert "saved" in out
    assert not door.exists()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_without_a_word_while_a_page_is_open(tmp_path: Path, sign: signal.Signals) -> None:
    command = [*COMMAND, "explore", "--folder", str(tmp_path / "runs"), "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[2]
            with urllib.request.urlopen(f"{address}api/events") as stream:
                assert stream.readline() == b"event: runs\n"
                process.send_signal(sign)
                _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert err == ""


def test_files_that_cannot_be_opened_are_refused_with_a_message(zerosum: Any, tmp_path: Path) -> None:
    for what in ("no/such/run", "spot:nothing", "nothing.toml", "leduk"):
        output = zerosum("explore", what, "--no-open", "--folder", tmp_path / "runs")
        assert (output.code, output.out, output.err.count("\n")) == (2, "", 1)
    output = zerosum("explore", "--no-open", "--folder", tmp_path / "runs", "--port", "99999")
    assert output.code == 2
    assert "port 99999" in output.err
