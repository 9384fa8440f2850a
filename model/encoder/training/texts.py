"""The invented claims that the encoder learns from, in ../../training: claims-questions.jsonl and the businesses of claims-2.jsonl and claims-3.jsonl."""
import json
import os
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = Path(os.environ.get("TABLE_TRAINING", HERE.parents[1] / "training"))
BUSINESSES = [TABLE / name for name in ("claims-2.jsonl", "claims-3.jsonl")]
OTHERS = ("pt", "fr", "ca", "it", "de")
HELD_OUT = ("w1-3", "w2-2", "w2-8", "w3-1", "w3-8", "w4-3", "w5-2", "w5-8", "w6-2", "w7-8")  # ten businesses in trades of their own
HELD_OUT += ("xa-4", "xa-11", "xb-3", "xb-9", "xc-2", "xd-5", "xe-3", "xe-8")  # eight of the further ones


def lines(path):
    return [json.loads(l) for l in open(path, encoding="utf8")]


def old():
    """claims with split, es/en statements and boundaries, q_es, q_en; neighbours in the file are of one trade"""
    return lines(TABLE / "claims-questions.jsonl")


def businesses():
    """name -> (its claims, its questions that nothing answers)"""
    found = {}
    for r in (r for path in BUSINESSES for r in lines(path)):
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
