"""The invented claims that the encoder learns from: single ones (claims-questions.jsonl) and whole businesses (claims-2.jsonl)."""
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIRST, BUSINESSES = HERE / "claims-questions.jsonl", HERE / "claims-2.jsonl"
OTHERS = ("pt", "fr", "ca", "it", "de")
HELD_OUT = ("w1-3", "w2-2", "w2-8", "w3-1", "w3-8", "w4-3", "w5-2", "w5-8", "w6-2", "w7-8")  # ten businesses in trades of their own


def lines(path):
    return [json.loads(l) for l in open(path, encoding="utf8")]


def old():
    """claims with split, es/en statements and boundaries, q_es, q_en; neighbours in the file are of one trade"""
    return lines(FIRST)


def businesses():
    """name -> (its claims, its questions that nothing answers)"""
    found = {}
    for r in lines(BUSINESSES):
        claims_, unanswered = found.setdefault(r["brand"], ([], []))
        if "un_es" in r:
            unanswered += r["un_es"] + r["un_en"]
        else:
            claims_.append(r)
    return found


def claims():
    return old() + [c for of_one, _ in businesses().values() for c in of_one]


def whole(c, language):
    return f"{c[language]} {c['app_' + language]} {c['not_' + language]}"


def texts_of(c):
    from encoder import CLAIM, QUESTION

    asked = [q for l in ("es", "en") for q in c["q_" + l]] + [c["q_" + l] for l in OTHERS if "q_" + l in c]
    return [CLAIM + c[k] for k in ("es", "en", "app_es", "app_en", "not_es", "not_en")] + [QUESTION + q for q in asked]
