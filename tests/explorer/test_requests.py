"""Invalid requests get an error message, and no request reads or writes anything outside the folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from explorer_page import BASE, PORT, SPOT, TOKEN, Page
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from zerosum.explorer.app import create_app
from zerosum.explorer.handler import ENDPOINTS, Endpoint, Explorer
from zerosum.explorer.holdem.spots import encode_spot
from zerosum.explorer.run_manager import RunManager
from zerosum.explorer.workspace import Workspace

WORDS = (
    *(
        "",
        "1",
        "2",
        "check",
        "bet 50",
        "bet50",
        "allin",
        "call",
        "fold",
        "4d",
        "Ks",
        "check,check",
        "small river",
        "turn",
    ),
    *("..", "../x", "/etc/passwd", "a/b", "ranges", "ranges.json", "con", "x\0y", "\ud800", "🂡", "-1", "1e99", "nan"),
    *(
        "evil.py:Game",
        "dcfr-1",
        "kuhn",
        "leduc(suits=3)",
        "spot:turn",
        "my.toml",
        "openspiel:../x",
        "cfr+",
        "0.5%",
        "AKs:0.5",
    ),
)
KEYS = (
    "spot",
    "game",
    "algorithm",
    "until",
    "iterations",
    "seconds",
    "half",
    "name",
    "text",
    "weights",
    "line",
    "evs",
    "link",
    "algorithms",
    "runs",
    "run",
    "path",
    "first",
    "flops",
    *("edits", "keep", "locks", "hands", "mix", "action", "seat", "seed", "before", "format"),
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 60),
    st.just(10**400),
    st.floats(),
    st.sampled_from(WORDS),
    st.text(max_size=9),
)
FIELDS = st.sampled_from(
    [*SPOT, "by", "cap", "big_blind", "allin_threshold", "locks", "tree_file", "tree", "rake", "no"]
)
SPOTS = st.dictionaries(FIELDS, LEAVES, max_size=3).map(lambda changed: {**SPOT, **changed})
DATA = st.one_of(
    LEAVES,
    st.dictionaries(st.sampled_from(KEYS), st.one_of(LEAVES, SPOTS, st.lists(LEAVES, max_size=3)), max_size=4),
    SPOTS.map(lambda spot: {"spot": spot, "iterations": 2}),
    st.fixed_dictionaries(
        {"game": st.sampled_from(("kuhn", "rps", "leduc", "openspiel:kuhn_poker", "my.efg", "evil.py:Game", "x(1"))},
        optional={"algorithms": st.lists(st.one_of(LEAVES, st.sampled_from(("cfr", "mccfr", "lp"))), max_size=3)},
    ),
    st.fixed_dictionaries(
        {"game": st.sampled_from(("kuhn", "leduc", "coin-toss", "liars-dice(dice=2)"))},
        optional={"path": st.lists(st.one_of(st.integers(-1, 4), LEAVES), max_size=5), "first": LEAVES, "run": LEAVES},
    ),
)
PATHS = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=12)), min_size=2, max_size=2)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """An explorer with a solved river, whose folder lies among files that it may not touch."""
    around = tmp_path_factory.mktemp("around")
    for name in ("secret.toml", "secret.json", "evil.py"):
        (around / name).write_text("secret = 1")
    runs = RunManager(Workspace(around / "runs"))
    with TestClient(create_app(Explorer(runs, {}), TOKEN, PORT), base_url=BASE) as client:
        page = Page(client, around / "runs")
        page.solved()
        yield page


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.sampled_from(ENDPOINTS), PATHS, DATA)
def test_any_request_is_answered_or_refused_in_a_sentence(
    held: Page, endpoint: Endpoint, parts: list[str], data: Any
) -> None:
    verb, path = endpoint.method, endpoint.path
    if (verb, path) in (("POST", "/api/runs"), ("POST", "/api/games/runs")) and isinstance(data, dict):
        data = {**data, "iterations": 2}
    quoted = [_quoted(part) for part in parts]
    address = path.replace("{name}", quoted[0]).replace("{run}", quoted[1])
    if verb in ("GET", "DELETE"):
        query = {key: str(value) for key, value in data.items()} if isinstance(data, dict) else None
        answer = held.client.request(verb, f"/{TOKEN}{address}", params=_encodable(query))
    else:
        answer = held.client.request(verb, f"/{TOKEN}{address}", content=json.dumps(data).encode("utf-8", "replace"))
    assert answer.status_code < 500, (address, data, answer.text)
    content = json.loads(answer.content, parse_constant=lambda constant: pytest.fail(constant))
    if answer.status_code >= 400:
        assert isinstance(content["error"], str)
        assert "secret = 1" not in content["error"]
    assert {path.name for path in held.folder.parent.iterdir()} == {"runs", "secret.toml", "secret.json", "evil.py"}


def _quoted(part: str) -> str:
    from urllib.parse import quote

    return quote(part.encode("utf-8", "replace"), safe="")


def _encodable(query: dict[str, str] | None) -> dict[str, str] | None:
    return None if query is None else {key: text.encode("utf-8", "replace").decode() for key, text in query.items()}


@pytest.mark.parametrize("content", [b"{", b"[1", b"\xff", b'{"a": NaN}', b"[" * 100_000, b"x" * (3 << 20), b"null"])
def test_invalid_json_is_refused(page: Page, content: bytes) -> None:
    for path in ("spot", "range", "runs"):
        answer = page.client.post(f"/{TOKEN}/api/{path}", content=content)
        assert answer.status_code == 400
        assert answer.json()["error"]


def test_whole_numbers_that_no_machine_holds_are_refused(page: Page) -> None:
    requests = ("game", {"game": "kuhn", "iterations": 10**400}), ("range", {"weights": [10**400] * 1326})
    for path, data in (*requests, ("runs", {"spot": SPOT, "seconds": -(10**18)})):
        assert page.refused("POST", path, data) == "an integer in a request has at most 18 digits"


def test_code_and_files_cannot_be_named_by_the_page(page: Page, tmp_path: Path) -> None:
    code = tmp_path / "game.py"
    code.write_text("raise SystemExit(f'this was run')")
    for game in (f"{code}:Game", f" {code} :Game", str(code), "spot:turn", "libratus:1", str(tmp_path / "x.toml")):
        assert "this was run" not in page.refused("POST", "runs", {"game": game, "iterations": 1})
    secret = tmp_path / "secret.json"
    secret.write_text('{"secret": "this was read"}')
    for parts in ({"locks": [f"check: @{secret}"]}, {"locks": [f"@{secret}"]}, {"tree_file": str(secret)}):
        for path, body in (("spot", {}), ("runs", {"iterations": 1})):
            message = page.refused("POST", path, {"spot": {**SPOT, **parts}, **body})
            assert "only the command line may" in message
            assert "this was read" not in message
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in {**SPOT, **parts}.items())
        (page.folder / "sly.toml").write_text(lines)
        assert "only the command line may" in page.refused("GET", "spots/saved/sly")
        assert "only the command line may" in page.refused("POST", "spot", {"text": lines})
        assert "only the command line may" in page.refused("POST", "spot", {"link": encode_spot({**SPOT, **parts})})
    assert "command line" in page.refused("POST", "runs", {"spot": SPOT, "algorithm": f"{code}:rule"})
    assert "command line" in page.refused("POST", "spot", {"spot": SPOT, "algorithm": f"{code}:rule"})


def test_a_link_does_not_lead_out_of_the_folder(opened: Callable[[], Page], tmp_path: Path) -> None:
    page = opened()
    page.solved()
    outside = tmp_path / "outside"
    os.rename(page.folder / "small river", outside)
    (page.folder / "linked").symlink_to(outside)
    (tmp_path / "secret.toml").write_text('board = "Ks 7h 2d"\npot = 1\nstack = 1\nbig_blind = 1\n')
    (page.folder / "linked.toml").symlink_to(tmp_path / "secret.toml")
    page = opened()
    assert page.ask("GET", "runs") == []
    assert page.ask("GET", "spots")["saved"] == []
    assert "out of the folder" in page.refused("GET", "spots/saved/linked")
    assert "out of the folder" in page.refused("PUT", "spots/saved/linked", {"spot": SPOT})
    assert "pot = 1\n" in (tmp_path / "secret.toml").read_text()


def test_spots_and_ranges_are_kept(opened: Callable[[], Page]) -> None:
    page = opened()
    assert page.ask("PUT", "spots/saved/my spot", {"spot": SPOT})["saved"] == ["my spot"]
    assert page.ask("PUT", "ranges/button", {"text": "AA,KK,QQ:0.5"}) == {"button": "KK+,QQ:0.5"}
    page = opened()
    assert page.ask("GET", "spots/saved/my spot")["board"] == SPOT["board"]
    assert page.ask("GET", "ranges") == {"button": "KK+,QQ:0.5"}
    assert page.ask("DELETE", "ranges/button") == {}
    assert page.ask("DELETE", "spots/saved/my spot")["saved"] == []
    assert "no spot" in page.refused("GET", "spots/saved/my spot")
    (page.folder / "ranges.json").write_text("[]")
    assert "not a file of ranges" in page.refused("GET", "ranges")


def test_ranges_are_read_and_written(page: Page) -> None:
    content = page.ask("POST", "range", {"text": "AA, AKs:0.5"})
    assert (content["text"], content["hands"]) == ("AA,AKs:0.5", 8)
    assert page.ask("POST", "range", {"weights": content["weights"]}) == content
    assert "cannot read 'AKx'" in page.refused("POST", "range", {"text": "AKx"})
    assert "numbers" in page.refused("POST", "range", {"weights": ["x"] * 1326})


def test_a_walk_shows_decisions_cards_and_ends(page: Page) -> None:
    turn = {**SPOT, "board": "Ks 7h 2d 9c"}
    key = page.solved(spot=turn)
    walk = page.ask("GET", f"runs/{key}/walk?line=check,bet50,call")
    assert walk["line"] == ["check", "bet 50", "call"]
    assert [step["kind"] for step in walk["steps"]] == ["decision"] * 3 + ["card"]
    assert walk["steps"][1]["labels"] == ["check", "bet 50 (50%)", "allin (200%)"]
    assert walk["steps"][3]["pot"] == 200
    assert walk["decision"] is None
    river = page.ask("GET", f"runs/{key}/walk?line=check,bet50,call,4s")
    assert (river["decision"]["board"], river["decision"]["has_ev"]) == ("Ks7h2d9c4s", False)
    whole = page.ask("GET", f"runs/{key}/walk?line=check,bet50,call,4s&evs=1")["decision"]
    assert whole["has_ev"]
    assert whole["columns"]["frequency"] == river["decision"]["columns"]["frequency"]
    over = page.ask("GET", f"runs/{key}/walk?line=bet50,fold")["steps"][-1]
    assert (over["kind"], over["ending"], over["player"]) == ("end", "fold", "out of position")
    assert "no 'bet3'" in page.refused("GET", f"runs/{key}/walk?line=bet3")
    game = page.ask("POST", "runs", {"game": "kuhn", "iterations": 5})["id"]
    page.wait(game, "done")
    assert "not a hold'em spot" in page.refused("GET", f"runs/{game}/walk")


def test_cards_ranges_texts_and_names_of_hands(page: Page) -> None:
    key = page.solved(spot={**SPOT, "board": "Ks 7h 2d 9c"})
    cards = page.ask("GET", f"runs/{key}/cards?line=check,check")
    assert len(cards["rows"]["name"]) == len(cards["rows"]["frequency"][0]) == 48
    assert set(cards["rows"]["ev_oop"]) == {None}
    assert None not in page.ask("GET", f"runs/{key}/cards?line=check,check&evs=1")["rows"]["equity_oop"]
    assert "no card comes" in page.refused("GET", f"runs/{key}/cards?line=check")
    ranges = page.ask("GET", f"runs/{key}/ranges?line=check,check")
    assert sum(side["equity"] for side in ranges["sides"]) == pytest.approx(1)
    assert page.ask("GET", f"runs/{key}/text?line=check")["text"].startswith("hand,hand_class,made_hand,draws,reach,")
    assert page.ask("GET", f"runs/{key}/text?line=check&format=pio")["text"].startswith("show_node r:0:c\n")
    assert "in position: AA,T8s" in page.ask("GET", f"runs/{key}/text?line=&format=ranges")["text"]
    assert "csv" in page.refused("GET", f"runs/{key}/text?format=cvs")
    assert "KsKh" not in page.ask("POST", "hands", {"board": "Ks 7h 2d", "hands": "sets"})["hands"]
    assert "KhKd" in page.ask("POST", "hands", {"board": "Ks 7h 2d", "hands": "sets"})["hands"]
    assert page.refused("POST", "hands", {"board": "Ks 7h 2d", "hands": "seds"})
