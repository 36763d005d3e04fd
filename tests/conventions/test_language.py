"""The package, its tests and its documents use none of the words that `tests/language.py` counts."""

from __future__ import annotations

import pytest

from language import PLACES, places


@pytest.mark.parametrize("title", PLACES)
def test_no_private_word_comes_back(title: str) -> None:
    listed = [f"{place.path}:{place.line}: {place.word}: {place.text}" for place in places(PLACES[title])]
    assert not listed, "\n".join(listed)
