"""Reference reading of retrieval, as ../encoder/README.md defines it.

python retrieval.py ENCODER_DIR BRAND.json CLAIM_QUESTIONS.jsonl QUESTIONS.jsonl > reference.json (parity data)
CLAIM_QUESTIONS: {"claim_id", "language", "text"} a line, or "" for none. needs: numpy onnxruntime tokenizers
"""
import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime as ort
from tokenizers import Tokenizer

CLAIM, QUESTION = "passage: ", "query: "
CLAIM_LENGTH, QUESTION_LENGTH = 192, 96  # token ids, with the first and the last
QUESTIONS_OF_A_CLAIM = 12
ASKED = 0.4  # share of the questions alone in a claim's vector
NEAREST = 64  # claims among which the chance is shared


class Encoder:
    def __init__(self, folder, threads=1):
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = ort.InferenceSession(str(Path(folder) / "model.onnx"), options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))

    def ids(self, text, length):
        return [0, *self.tokenizer.encode(text, add_special_tokens=False).ids[: length - 2], 2]

    def vector(self, ids):
        one = np.array([ids], np.int64)
        return self.session.run(None, {"ids": one, "mask": np.ones_like(one)})[0][0]

    def passage(self, text):
        return self.vector(self.ids(CLAIM + text, CLAIM_LENGTH))

    def question(self, text):
        return self.vector(self.ids(QUESTION + calm(text), QUESTION_LENGTH))

    def claim(self, claim, questions=(), language="es"):
        """what the claim states, with its questions in front; where it has questions, .6 of that vector and .4 of the questions' own. A score is then the weighted mean of two cosines"""
        asked = in_order(questions, language)
        stated = self.passage(claim_text(claim, asked))
        return (1 - ASKED) * stated + ASKED * self.passage(" ".join(asked)) if asked else stated


def calm(question):
    """a question in capitals alone is read in small letters"""
    return question.lower() if question == question.upper() else question


def in_order(questions, language):
    """questions: (language, text). Those of the profile's language first, in their order; twelve at most"""
    own = [text for l, text in questions if l == language]
    others = [text for l, text in questions if l != language]
    return (own + others)[:QUESTIONS_OF_A_CLAIM]


def claim_text(claim, asked=()):
    metric = (claim.get("metric") or {}).get("name", "")
    boundary = claim["boundary"]
    parts = [*asked, claim["statement"], metric and metric + ".", boundary["applicable_for"], boundary["not_applicable_for"]]
    return " ".join(part for part in parts if part)


def similarities(scores, question, parameters):
    """the chance of each claim that it is the right one; they add up to the chance that any is"""
    c = parameters["calibration"]
    ranked = np.sort(scores)[::-1]
    best, others = ranked[0], ranked[1 : 1 + c["rivals"]]
    rival = others.mean() if len(others) else best
    z = c["score"] * best + c["rival"] * rival + c["length"] * np.log(1 + len(question.split())) + c["beta"]
    some = 1 / (1 + np.exp(-z))
    share = np.exp(c["sharpness"] * (scores - best))
    return some, some * share / np.sort(share)[::-1][:NEAREST].sum()


def matches(scores, question, parameters):
    """(claim, similarity) of at most five; none where the chance that any claim answers is under the floor"""
    some, similarity = similarities(scores, question, parameters)
    if some < parameters["floor"]["some"]:
        return []
    order = np.argsort(-similarity, kind="stable")[:5]
    return [(int(i), float(similarity[i])) for i in order if similarity[i] >= parameters["floor"]["match"]]


def lines(file):
    return [json.loads(l) for l in Path(file).read_text(encoding="utf8").splitlines() if l.strip()] if file else []


if __name__ == "__main__":
    folder, brand, of_claims, asked = sys.argv[1:5]
    encoder, parameters, document, own = Encoder(folder), json.loads((Path(folder) / "retrieval.json").read_text()), json.loads(Path(brand).read_text()), {}
    claims = document["claims"]
    for q in lines(of_claims):
        own.setdefault(q["claim_id"], []).append((q["language"], q["text"]))
    language = document.get("language", "es")
    texts = [claim_text(c, in_order(own.get(c["claim_id"], ()), language)) for c in claims]
    vectors = np.stack([encoder.claim(c, own.get(c["claim_id"], ()), language) for c in claims])
    questions = [q["query"] for q in lines(asked)][::5]
    odd = ["", "?", "ROI", "日本語", "¿¿??   a  b", "ﬁnanciación ½ ①", "naïve façade Škoda straße", "👋🏽 hola", "x" + "y" * 300, "Ａｂｃ", "à la carte " * 60, "CUANTO CUESTA EL DIAGNOSTICO"]
    short = lambda a: [round(float(x), 5) for x in a]
    found = []
    for q in questions + ["ROI", "CUANTO CUESTA EL DIAGNOSTICO"]:
        scores = vectors @ encoder.question(q)
        some, similarity = similarities(scores, q, parameters)
        found.append({"query": q, "score": short(scores), "some": round(float(some), 5), "similarity": short(similarity), "matches": [[i, round(s, 4)] for i, s in matches(scores, q, parameters)]})
    json.dump({
        "tokens": [{"text": CLAIM + t, "ids": encoder.ids(CLAIM + t, CLAIM_LENGTH)} for t in texts[:4]] + [{"text": QUESTION + calm(q), "ids": encoder.ids(QUESTION + calm(q), QUESTION_LENGTH)} for q in questions[:6] + odd],
        "texts": texts[:4],
        "vectors": [{"text": QUESTION + q, "vector": short(encoder.question(q))} for q in questions[:4]],
        "claims": [{"claim_id": c["claim_id"], "vector": short(v)} for c, v in list(zip(claims, vectors))[:4]],
        "queries": found,
    }, sys.stdout, ensure_ascii=False)
