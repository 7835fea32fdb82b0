"""The tool that collects sentences finds every one of them, whatever Python it runs on."""

from __future__ import annotations

from tools.texts import hidden


def test_a_sentence_inside_an_f_string_is_noticed() -> None:
    assert hidden("def f(): return f'({say(\"banned\").to(lang)})'") == [1]
    assert hidden("word = say('banned')\nf'{word} {say(name)} {other(\"banned\")}'") == []
