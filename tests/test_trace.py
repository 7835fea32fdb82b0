"""Every rule on our pages has a test that says it proves it, and every such test names a rule there is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from astragal.core.language import LANGUAGES

ROOT = Path(__file__).parent.parent
RULE = re.compile(r"^\*\*([A-Z]{2}-\d+)\*\* \*\((.+?)\)\*", re.MULTILINE)
MARKS = {
    "en": {"printed": "printed", "ruling": "ruling", "reconstruction": "reconstruction"},
    "de": {"gedruckt": "printed", "Festlegung": "ruling", "Rekonstruktion": "reconstruction"},
    "es": {"impresa": "printed", "decisión": "ruling", "reconstrucción": "reconstruction"},
}


def pages(lang: str) -> list[Path]:
    return sorted((ROOT / "docs" / "rules" / lang).glob("*.md"))


def ids_of(page: Path) -> list[str]:
    return [rule[1] for rule in RULE.finditer(page.read_text("utf-8"))]


def ids_of_records() -> list[str]:
    return re.findall(r"^\*\*(RC-\d+)\*\*", (ROOT / "docs" / "records.md").read_text("utf-8"), re.MULTILINE)


def proved() -> Iterator[str]:
    """The ids in `pytest.mark.rule(...)` above test functions."""
    for file in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                        yield from (str(arg.value) for arg in mark.args if isinstance(arg, ast.Constant))


def test_every_rule_has_a_test_and_every_marker_a_rule() -> None:
    written = {id for page in pages("en") for id in ids_of(page)} | set(ids_of_records())
    assert written, "no rules found: has the form of the pages changed?"
    marked = set(proved())
    assert written - marked == set(), "rules without a test"
    assert marked - written == set(), "markers without a rule"


def test_the_pages_of_all_languages_have_the_same_rules_once_each() -> None:
    for page in pages("en"):
        ids = ids_of(page)
        assert len(ids) == len(set(ids)), page
        for lang in LANGUAGES:
            assert ids_of(ROOT / "docs" / "rules" / lang / page.name) == ids, (lang, page.name)


def test_every_rule_says_honestly_where_it_comes_from() -> None:
    for page in pages("en"):
        english = dict(RULE.findall(page.read_text("utf-8")))
        for lang in LANGUAGES:
            for id, mark in RULE.findall((ROOT / "docs" / "rules" / lang / page.name).read_text("utf-8")):
                meant = [MARKS[lang][word] for word in mark.split(", ")]
                assert meant == english[id].split(", "), (lang, id)
