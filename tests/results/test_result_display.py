"""Results where Python shows them: on a line, on a page, as tables and as axes of matplotlib."""

from __future__ import annotations

import base64
import re
from dataclasses import replace

import matplotlib
import pytest
from matplotlib import pyplot

import zerosum
from zerosum.results.display.tables import to_latex

matplotlib.use("agg")


@pytest.fixture(scope="module")
def results() -> list[zerosum.Result]:
    return zerosum.compare("kuhn", ["cfr", "dcfr"], iterations=50)


def test_a_result_is_one_line(results: list[zerosum.Result]) -> None:
    spot = zerosum.solve("spot:river", iterations=3)
    many = zerosum.repeat("kuhn", seeds=2, nodes=1000)
    unknown = zerosum.solve("kuhn", "mccfr", nodes=500, by_rules=True)
    game = zerosum.compile_game(zerosum.game("leduc"))
    for value in (*results, spot, spot.at(), many, unknown, zerosum.start("kuhn"), game):
        assert len(repr(value)) < 220
        assert "\n" not in repr(value)
    assert repr(results[0]).startswith("GameResult(kuhn, cfr: 50 iterations, exploitability 0.0")
    assert "exploitability" not in repr(unknown)
    assert re.fullmatch(
        r"DecisionTable\(Ks7h2d9c4s, check, pot 2600, in position: check \d+\.\d%, .*%\)", repr(spot.at("check"))
    )
    assert repr(zerosum.start("kuhn", "cfr")) == "Run(kuhn, cfr: 0 iterations, not started)"
    assert repr(zerosum.Solver(game, "dcfr", 9)) == "Solver(leduc, dcfr: 0 iterations)"


@pytest.fixture(scope="module")
def swept() -> zerosum.Sweep:
    return zerosum.sweep(
        ["kuhn", "coin-toss"], "dcfr({alpha}, {beta}, 2)", {"alpha": [1, 2], "beta": [0]}, iterations=20
    )


def test_comparisons_are_one_line(swept: zerosum.Sweep) -> None:
    leduc = [zerosum.solve("leduc", iterations=count) for count in (5, 10)]
    river = [zerosum.solve("spot:river", iterations=count) for count in (2, 5)]
    turn = zerosum.report(zerosum.solve("spot:turn", iterations=2), line="check check")
    judged = [zerosum.exploit("leduc", leduc[0]), zerosum.exploit("spot:river", river[0])]
    named = [zerosum.problem("leduc"), zerosum.problem("spot:river")]
    for value in (zerosum.diff(*leduc), zerosum.diff(*river), *judged, swept, turn, *named):
        assert len(repr(value)) <= 200
        assert "\n" not in repr(value)
        assert " object at " not in repr(value)
    assert repr(named[0]) == "GameProblem(leduc)"
    assert repr(swept).startswith("Sweep(dcfr({alpha}, {beta}, 2): 4 runs, best at alpha=")
    assert repr(judged[0]).startswith("ExploitReport(leduc: exploitability ")
    assert re.match(r"Diff\(leduc: \d+\.\d\d% of all actions differ, 936 infosets listed; ", repr(zerosum.diff(*leduc)))


def test_pages_begin_with_the_main_figures(swept: zerosum.Sweep) -> None:
    leduc = [zerosum.solve("leduc", iterations=count) for count in (5, 10)]
    page = zerosum.diff(*leduc)._repr_html_()
    assert page.count("<tr>") == 6 + 1 + 10
    assert "926 more" in page
    assert ">differ</th>" in page
    page = zerosum.exploit("leduc", leduc[0], worst=3)._repr_html_()
    assert "where most is given away" in page
    assert page.count("</td></tr>") == 8 + 3
    assert "<p>" not in zerosum.exploit("kuhn", zerosum.solve("kuhn", "lp"), worst=0)._repr_html_()
    page = swept._repr_html_()
    assert "times the best" in page
    assert "on all games" in page
    assert base64.b64decode(re.search(r"base64,([^\"]+)", page)[1]).startswith(b"\x89PNG")
    assert "nothing to draw" in replace(swept, rows=())._repr_html_()


def test_a_sweep_is_drawn_and_is_a_frame(swept: zerosum.Sweep) -> None:
    axes = swept.plot()
    assert axes.get_title(loc="left") == "kuhn"
    assert len([axis for axis in axes.figure.axes if axis.get_xlabel() != "exploitability"]) == 2
    frame = swept.to_frame()
    assert frame["alpha"].tolist() == [1.0, 2.0, 1.0, 2.0]
    assert frame["exploitability"].tolist() == [row.exploitability for row in swept.rows]
    with pytest.raises(zerosum.ZerosumError, match="nothing to draw"):
        replace(swept, rows=()).plot()
    pyplot.close("all")


def test_a_line_sends_a_terminal_nothing_to_obey() -> None:
    named = zerosum.Algorithm("\x1b[31mred\n", average=zerosum.Power(1))
    assert repr(zerosum.solve("kuhn", named, iterations=2)).startswith("GameResult(kuhn, ?[31mred")
    assert "\x1b" not in repr(zerosum.solve("kuhn", named, iterations=2))


def test_a_page_has_the_numbers_and_the_curve(results: list[zerosum.Result]) -> None:
    page = results[0]._repr_html_()
    assert ">kuhn</td>" in page
    picture = base64.b64decode(re.search(r"base64,([^\"]+)", page)[1])
    assert picture.startswith(b"\x89PNG")
    assert "<img" not in zerosum.solve("kuhn", "lp")._repr_html_()
    assert "not known" in zerosum.solve("kuhn", "mccfr", nodes=500, by_rules=True)._repr_html_()
    assert "% of the pot" in zerosum.solve("spot:river", iterations=3)._repr_html_()
    matrix = zerosum.solve("matrix([[1, 2], [3, 4]])", iterations=2)
    assert "<script" not in zerosum.GameResult(**{**vars(matrix), "game": "<script>"})._repr_html_()


def test_axes(results: list[zerosum.Result]) -> None:
    _, axes = pyplot.subplots(1, 2)
    assert zerosum.plot(results, ax=axes[0], x="seconds") is axes[0]
    assert axes[0].get_xlabel() == "time (s)"
    assert results[0].plot(axes[1]) is axes[1]
    assert axes[1].get_title(loc="left") == "kuhn, cfr"
    other = zerosum.plot([*results, zerosum.solve("rps-double-scissors", "cfr", iterations=20, start_seed=1)])
    assert other.get_title(loc="left") == "kuhn, rps-double-scissors"
    assert {text.get_text() for text in other.texts} == {"kuhn, cfr", "kuhn, dcfr", "rps-double-scissors, cfr"}
    assert zerosum.plot(zerosum.repeat("kuhn", seeds=3, nodes=3000)).get_xlabel() == "nodes touched"
    assert zerosum.plot([("mine", results[0].curve)]).get_title(loc="left") == ""
    for wrong in ({"runs": []}, {"runs": zerosum.solve("kuhn", "lp")}, {"runs": results, "x": "years"}):
        with pytest.raises(zerosum.ZerosumError):
            zerosum.plot(**wrong)
    pyplot.close("all")


def test_frames(results: list[zerosum.Result]) -> None:
    frame = zerosum.curve_frame(results)
    assert list(frame.groupby("algorithm").size()) == [len(result.curve) for result in results]
    assert frame["exploitability"].iloc[-1] == results[1].exploitability
    assert zerosum.repeat("kuhn", seeds=2, nodes=1000).curve_frame().columns[-2:].tolist() == ["low", "high"]


def test_latex(results: list[zerosum.Result]) -> None:
    text = to_latex([*results, zerosum.solve("goofspiel(3, order=ascending)", "lp")])
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 4
    assert all(row.count(" & ") == 4 for row in rows)
    assert r"\times10^{-" in to_latex(zerosum.solve("kuhn", "cfr+", iterations=20_000))
    matrix = zerosum.solve("matrix([[1, 2], [3, 4]])", iterations=2)
    named = zerosum.GameResult(**{**vars(matrix), "game": r"a_b & 5% \x{}"})
    assert r"a\_b \& 5\% \textbackslash{}x\{\}" in named.to_latex()
    assert "exploitability (chips)" in zerosum.solve("spot:river", iterations=3).to_latex()
    assert "--" in zerosum.solve("kuhn", "mccfr", nodes=500, by_rules=True).to_latex()
