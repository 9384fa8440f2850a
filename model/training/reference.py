"""Reference implementation of retrieval as model/README.md defines it; writes reference.json (parity data for the TypeScript code).

usage: python reference.py MODEL_DIR BRAND.json QUESTIONS.jsonl > reference.json
needs: numpy, tokenizers, safetensors
"""
import json, math, re, sys, unicodedata
from collections import Counter
from pathlib import Path
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

PAD, UNK, MAX_TOKENS = 0, 1, 512


class Retrieval:
    def __init__(self, model_dir, texts):
        d = Path(model_dir)
        table = load_file(d / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(d / "tokenizer.json"))
        self.rows = table["embeddings"].astype(np.float32) * table["weights"][:, None]  # V x 256
        self.norms = np.linalg.norm(self.rows, axis=1)
        self.units = self.rows / np.maximum(self.norms, 1e-12)[:, None]
        self.p = json.loads((d / "retrieval.json").read_text())
        self.background = np.stack([self.dense(self.tokens(t)) for t in json.loads((d / "background.json").read_text())])
        self.tokens_of = [self.tokens(t) for t in texts]
        self.vectors = np.stack([self.dense(t) for t in self.tokens_of])
        self.lexical = Lexical(texts, self.p["bm25"])

    def tokens(self, text):
        ids = self.tokenizer.encode(text, add_special_tokens=False).ids
        return [i for i in ids if i not in (PAD, UNK) and self.norms[i] > 0][:MAX_TOKENS]

    def dense(self, tokens):
        v = self.rows[tokens].sum(0) if tokens else np.zeros(self.rows.shape[1], np.float32)
        return v / max(float(np.linalg.norm(v)), 1e-12)

    def late(self, q, c):
        """sum over query tokens of norm x best cosine among the claim's tokens, over the sum of norms"""
        if not q or not c:
            return 0.0
        best = np.maximum((self.units[q] @ self.units[c].T).max(1), 0)
        w = self.norms[q]
        return float(w @ best / w.sum())

    def search(self, query):
        q = self.tokens(query)
        v = self.dense(q)
        dense = self.vectors @ v
        late = np.array([self.late(q, c) for c in self.tokens_of])
        lexical = self.lexical.scores(query)
        w, cal = self.p["weights"], self.p["calibration"]
        score = w["dense"] * dense + w["late"] * late + w["lexical"] * lexical
        level = float(np.sort(self.background @ v)[-cal["backgroundTop"]:].mean())
        similarity = 1 / (1 + np.exp(-(cal["alpha"] * (score - cal["lambda"] * level) + cal["beta"])))
        return dict(dense=dense, late=late, lexical=lexical, level=level, score=score, similarity=similarity)


class Lexical:
    """BM25 over character n-grams of folded words, divided by the best score that the query could reach"""

    def __init__(self, texts, p):
        self.p, self.docs = p, [grams(t, p["n"]) for t in texts]
        self.size = [sum(g.values()) for g in self.docs]
        self.mean = sum(self.size) / len(self.size)
        df = Counter(k for g in self.docs for k in g)
        n = len(texts)
        self.idf = {k: math.log(1 + (n - f + 0.5) / (f + 0.5)) for k, f in df.items()}
        self.unknown = math.log(1 + (n + 0.5) / 0.5)

    def scores(self, query):
        q, p = set(grams(query, self.p["n"])), self.p
        best = sum(self.idf.get(k, self.unknown) for k in q) * p["scale"] + 1e-9
        out = []
        for g, size in zip(self.docs, self.size):
            s = sum(self.idf[k] * g[k] * (p["k1"] + 1) / (g[k] + p["k1"] * (1 - p["b"] + p["b"] * size / self.mean)) for k in q if k in g)
            out.append(s / best)
        return np.array(out)


def fold(text):
    t = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return re.sub(r"[^a-z0-9]+", " ", t).strip()


def grams(text, n):
    c = Counter()
    for w in fold(text).split():
        w = f" {w} "
        for i in range(max(1, len(w) - n + 1)):
            c[w[i:i + n]] += 1
    return c
