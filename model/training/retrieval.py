"""Reference implementation of retrieval as ../README.md defines it; writes ../reference.json (parity data for the TypeScript code).

usage: python retrieval.py .. .. ../../examples/brand.json ../../examples/questions.jsonl > ../reference.json
The first directory holds table, tokenizer and background, the second retrieval.json and bank.safetensors.
needs: numpy, tokenizers, safetensors
"""
import json, math, sys
from pathlib import Path
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from reference import Lexical  # BM25 over character 4-grams

PAD, UNK, MAX_TOKENS = 0, 1, 512


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)


class Model:
    def __init__(self, model_dir, round2_dir, without=None, parameters=None):
        d, e = Path(model_dir), Path(round2_dir)
        t = load_file(d / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(d / "tokenizer.json"))
        self.rows = t["embeddings"].astype(np.float32) * t["weights"][:, None]
        self.norms = np.linalg.norm(self.rows, axis=1)
        self.units = self.rows / np.maximum(self.norms, 1e-12)[:, None]
        self.p = parameters or json.loads((e / "retrieval.json").read_text())
        self.background = np.stack([self.dense(self.tokens(x)) for x in json.loads((d / "background.json").read_text())])
        bank = load_file(e / "bank.safetensors")
        keep = np.ones(len(bank["claims"]), bool) if without is None else ~np.asarray(without)
        self.bank_claims, self.bank_questions = (unit(bank[k].astype(np.float32)[keep]) for k in ("claims", "questions"))

    def tokens(self, text):
        ids = self.tokenizer.encode(text, add_special_tokens=False).ids
        return [i for i in ids if i not in (PAD, UNK) and self.norms[i] > 0][:MAX_TOKENS]

    def dense(self, tokens):
        v = self.rows[tokens].sum(0) if tokens else np.zeros(self.rows.shape[1], np.float32)
        return v / max(float(np.linalg.norm(v)), 1e-12)


class Retrieval:
    """claims: (head, text) pairs; head = statement and metric name, text = the whole claim text"""

    def __init__(self, model, claims):
        self.m, p = model, model.p
        self.tokens_of = [model.tokens(text) for _, text in claims]
        self.vectors = np.stack([model.dense(t) for t in self.tokens_of])
        self.lexical = Lexical([text for _, text in claims], p["bm25"])
        self.expansions, self.gate = self.expand(np.stack([model.dense(model.tokens(head)) for head, _ in claims]))
        # one vector a claim holds both terms: weights.dense x vector + weights.expansion x expansion
        self.unique, where = np.unique(np.concatenate([np.array(t, int) for t in self.tokens_of]), return_inverse=True)
        self.where, self.starts = where, np.cumsum([0] + [len(t) for t in self.tokens_of])[:-1]

    def expand(self, heads):
        e = self.m.p["expansion"]
        near = heads @ self.m.bank_claims.T
        top = np.argsort(-near, 1, kind="stable")[:, : e["neighbours"]]
        s = np.take_along_axis(near, top, 1)
        w = np.exp(e["sharpness"] * (s - s[:, :1]))
        mean = unit((w[..., None] * self.m.bank_questions[top]).sum(1))
        gate = float(np.clip((s[:, 0].mean() - e["from"]) / (e["to"] - e["from"]), 0, 1))
        return gate * mean + (1 - gate) * e["fallback"] * self.vectors, gate

    def best(self, token):
        """best cosine of one token with every claim, at least 0 (a claim without tokens: 0)"""
        cos = (self.m.units[self.unique] @ self.m.units[token])[self.where]
        out = np.zeros(len(self.tokens_of), np.float32)
        for j, (a, t) in enumerate(zip(self.starts, self.tokens_of)):
            if t:
                out[j] = max(0, cos[a : a + len(t)].max())
        return out

    def column(self, token):
        """what a query token adds: its weight (norm x idf in this profile) and, per claim, weight x saturated cosine"""
        p, b, n = self.m.p["late"], self.best(token), len(self.tokens_of)
        df = float(np.clip((b - p["from"]) / (p["to"] - p["from"]), 0, 1).sum())
        weight = float(self.m.norms[token]) * math.log(1 + (n - df + 0.5) / (df + 0.5))
        return weight, weight * np.log(1 + b / p["epsilon"]) / math.log(1 + 1 / p["epsilon"])

    def search(self, query):
        m, w, c = self.m, self.m.p["weights"], self.m.p["calibration"]
        q = m.tokens(query)
        v = m.dense(q)
        dense, expansion = self.vectors @ v, self.expansions @ v
        columns = [self.column(t) for t in q]
        late = sum(x for _, x in columns) / max(sum(x for x, _ in columns), 1e-12) if q else np.zeros(len(dense))
        lexical = self.lexical.scores(query)
        score = w["dense"] * dense + w["expansion"] * expansion + w["late"] * late + w["lexical"] * lexical
        level = float(np.sort(m.background @ v)[-c["backgroundTop"] :].mean())
        ranked = np.sort(score)[::-1]
        best, others = float(ranked[0]), ranked[1 : 1 + c["rivals"]]
        rivals = float(others.mean()) if len(others) else best
        length = math.log(1 + len(q))
        top = c["score"] * best + c["rival"] * rivals + c["length"] * length + c["level"] * level + c["beta"]
        z = top - c["steepness"] * (best - score)
        return dict(dense=dense, expansion=expansion, late=late, lexical=lexical, level=level, rivals=rivals, length=length, score=score, similarity=1 / (1 + np.exp(-z)))


ODD = [(t, t) for t in ("The river ferry crosses every hour from April to October.", "The museum shows forty paintings and is closed on Mondays.", "Salmon return to the upper valley in autumn.",
                        "El puente se reconstruyó tras la riada y hoy solo lo cruzan peatones.", "日本語", "Tickets cost four euros and are refunded when the boat does not sail.")]


def head_text(c):
    m = (c.get("metric") or {}).get("name", "")
    return f"{c['statement']} {m + '.' if m else ''}".strip()


def claim_text(c):
    m = (c.get("metric") or {}).get("name", "")
    return f"{c['statement']} {m + '. ' if m else ''}{c['boundary']['applicable_for']} {c['boundary']['not_applicable_for']}"


if __name__ == "__main__":
    model_dir, round2_dir, brand, questions = sys.argv[1:5]
    claims = json.loads(Path(brand).read_text())["claims"]
    model = Model(model_dir, round2_dir)
    r = Retrieval(model, [(head_text(c), claim_text(c)) for c in claims])
    rd = lambda a, n=6: [round(float(x), n) for x in np.atleast_1d(a)]
    one = lambda x, n=6: round(float(x), n)
    qs = [json.loads(l)["query"] for l in Path(questions).read_text().splitlines()][::7] + ["日本語", "ROI"]
    tokens = sorted({t for q in qs[:6] for t in model.tokens(q)})[:40]
    values = lambda found: {k: (rd(v) if isinstance(v, np.ndarray) else one(v)) for k, v in found.items()}
    others = []  # a claim alone, three claims, claims near the bank's gate
    for chosen in ([(head_text(c), claim_text(c)) for c in claims[:1]], [(head_text(c), claim_text(c)) for c in claims[:3]], ODD):
        o = Retrieval(model, chosen)
        others.append(dict(gate=one(o.gate), claims=[dict(head=h, text=t) for h, t in chosen], queries=[dict(query=q, **values(o.search(q))) for q in qs[:3]]))
    texts = ["¿Cuánto cuesta el diagnóstico?", "How fast do you reply?", "esperimentos jeograficos por rejiones", "ROI del 12,5 % en 2025 — ¿verdad?", "日本語", "😀", "[CLS] [PAD] naïve ÑANDÚ"]
    out = dict(texts=[dict(text=t, tokens=model.tokens(t), vector=rd(model.dense(model.tokens(t)))) for t in texts],
               gate=one(r.gate),
               claims=[dict(claim_id=c["claim_id"], head=head_text(c), text=claim_text(c), expansion=rd(e)) for c, e in zip(claims, r.expansions)],
               tokens=[dict(token=t, weight=one(w), values=rd(x)) for t, (w, x) in ((t, r.column(t)) for t in tokens)],
               queries=[dict(query=q, **{k: (rd(v) if isinstance(v, np.ndarray) else one(v)) for k, v in r.search(q).items()}) for q in qs],
               others=others)
    json.dump(out, sys.stdout, ensure_ascii=False)
