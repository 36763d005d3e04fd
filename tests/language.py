"""Count the words of a private language that once filled this repository, so that they do not come back.

    python tests/language.py                     a row per word, a column each for package, tests and documents
    python tests/language.py --list src/zerosum  every place below a folder, as file:line: word: text

`tests/conventions/test_language.py` fails if a count rises above zero, but for the places in `EXCEPTIONS`.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PLACES = {
    "package": ["src"],
    "tests": ["tests", "benchmarks"],
    "documents": ["docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"],
}
SKIPPED = {Path("tests/language.py"), Path("tests/conventions/test_language.py")}
SUFFIXES = {".py", ".md", ".js", ".html", ".css", ".toml", ".ipynb"}

OBTAINED = "found told known made kept said asked given going one two each own here shown"
NAMES = frozenset(OBTAINED.split())
"""Names that say how a value was obtained instead of what it is."""

PHRASES = {
    "tell": r"\b(?:tell|tells|told|telling)\b",
    "look at": r"\blook(?:s|ed|ing)? (?:at|into)\b|\bis looked\b",
    "goes with": r"\b(?:go|goes|went|going) with(?:out)?\b",
    "comes along": r"\b(?:come|comes|came) along\b",
    "whoever": r"\bwhoever\b|(?:^|[.:;,(] |\b(?:for|by|of|to|and|that|which) )who "
    r"(?:wins|is|bets?|calls|has|asks|installs|reads|plays)\b(?!.*\?)",
    "so many": r"\b(?:so many|so often|so long as|as many as|as often as)\b",
    "of one's own": r"\bof (?:one's|its|their|your|his|our) own\b"
    r"|\bown (?:rules?|games?|functions?|algorithms?|kinds?)\b",
    "what, as a subject": r"(?:^|[.:;,(] )[Ww]hat "
    r"(?:was|is|are|were|has|does|can|may|must|holds|counts|comes|they|it|a|the)\b"
    r"(?!.*\?)",
    "worked out": r"\b(?:work|works|worked|working) out\b",
    "made": r"\bmade\b(?![- _]hand)",
    "kinds of arguments": r"\bkinds of arguments\b",
    "words that kernels get": r"\bwords (?:that|of) (?:a )?kernels?\b",
    "be at it": r"\b(?:is|are|was|be|still|while) at (?:it|work)\b",
    "takes so long": r"\btakes? so long\b|\btakes? 0\.\d+ times\b",
    "by rules alone": r"\bby (?:the )?rules alone\b",
    "in one's stead": r"\bin (?:its|their|one's|whose) stead\b",
}
"""The left column of the table of words: each with the pattern that finds it in prose."""

EXCEPTIONS: dict[str, dict[str, str]] = {
    "src/zerosum/games/game.py": {
        "ONE = 0": "the first player, in the rules of every game",
        "TWO = 1": "the second player",
    },
    "src/zerosum/holdem/solution/spot_blocks.py": {'"made"': "the table of made hands: --by made"},
    "src/zerosum/results/strategy_view.py": {'"made"': "the table of made hands: --by made"},
    "src/zerosum/cli/common_options.py": {"made|class|hand": "--by made lists made hands"},
    "src/zerosum/explorer/static/js/walk/hand_columns.js": {"made": "a made hand"},
    "docs/holdem.md": {"made\\|class": "--by made lists made hands"},
}
"""By file: a text of the line that may stay, and why."""


class Place(NamedTuple):
    """A word where it stands."""

    path: Path
    line: int
    word: str
    text: str


def files(folders: list[str]) -> Iterator[Path]:
    """Yield the files below folders that people read."""
    for folder in folders:
        top = ROOT / folder
        for path in sorted([top] if top.is_file() else top.rglob("*")):
            relative = path.relative_to(ROOT)
            if path.suffix in SUFFIXES and relative not in SKIPPED and "gallery" not in path.parts[:-1]:
                yield path


def names(path: Path) -> Iterator[Place]:
    """Yield the variables, arguments, attributes, functions and classes of a module with a name from `NAMES`."""
    text = path.read_text()
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.Attribute(attr=name, ctx=ast.Store()):
                pass
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                pass
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                pass
            case _:
                continue
        if name.strip("_").lower() in NAMES:
            yield Place(path.relative_to(ROOT), node.lineno, f"name {name}", lines[node.lineno - 1].strip())


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are written for people: of Python comments and strings, of other files every line."""
    text = path.read_text()
    if path.suffix != ".py":
        yield from enumerate(text.splitlines(), 1)
        return
    strings = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in strings:
            yield from enumerate(token.string.splitlines(), token.start[0])


def phrases(path: Path) -> Iterator[Place]:
    """Yield the phrases of `PHRASES` in a file."""
    for line, text in prose(path):
        for word, pattern in PHRASES.items():
            for _ in re.finditer(pattern, text):
                yield Place(path.relative_to(ROOT), line, word, text.strip())


def places(folders: list[str]) -> Iterator[Place]:
    """Yield every private word below some folders that is no exception."""
    for path in files(folders):
        allowed = EXCEPTIONS.get(str(path.relative_to(ROOT)), {})
        listed = [*phrases(path), *(names(path) if path.suffix == ".py" else [])]
        yield from (place for place in listed if not any(text in place.text for text in allowed))


def main() -> None:
    """Print the counts, or every place."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", nargs="+", metavar="FOLDER", help="print every place below these folders")
    folders = parser.parse_args().list
    if folders:
        for place in places(folders):
            print(f"{place.path}:{place.line}: {place.word}: {place.text[:110]}")
        return
    counts = {
        title: Counter("names" if place.word.startswith("name ") else place.word for place in places(folders))
        for title, folders in PLACES.items()
    }
    print(f"{'':22}" + "".join(f"{title:>11}" for title in counts))
    for word in [*PHRASES, "names"]:
        print(f"{word:22}" + "".join(f"{counts[title][word]:11}" for title in counts))


if __name__ == "__main__":
    main()
