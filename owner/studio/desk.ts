import * as z from 'zod';
import type { RetrievalModel } from '../../brand/retrieval/model.ts';
import type { Counted } from '../asked.ts';
import { changesBetween, type PartChanges } from '../changes.ts';
import { figuresAtFive, type Hint, hintsOf, type Ranked } from '../hints.ts';
import { Question, readQuestionFile, writeQuestionFile } from '../questions.ts';
import { type Asking, createAsker } from './asking.ts';
import { Edit, EditError, type Json } from './document.ts';
import { FIELDS } from './fields.ts';
import { changedGroups, type FieldFinding, type Findings, findingsOf } from './findings.ts';
import type { Edited, ProfileFile, Version } from './profile-file.ts';
import { WORDS } from './words.ts';

export interface DeskOptions {
  readonly file: ProfileFile;
  readonly model: RetrievalModel;
  /** Names that the profile may not say. */
  readonly neverPublish: readonly string[];
  /** JSON lines of the owner's questions. */
  readonly questions: string;
  readonly signing: {
    /** Name of the key's file, and whether it is there. */
    readonly key: string;
    readonly there: () => Promise<boolean>;
    /** Signs the file; `renew` also makes it valid for a year from now. */
    readonly sign: (renew: boolean) => Promise<void>;
    readonly isSigned: (document: Json) => Promise<boolean>;
  };
  /** What visitors asked, where it is kept. */
  readonly asked: () => Promise<readonly Counted[]>;
  readonly now: () => Date;
}

/** What the page can have done, by name; each takes and gives JSON. */
export type Desk = Readonly<Record<string, (body: unknown) => Promise<object>>>;

/** Digest of the document that the page shows. */
const version = z.string().max(100);
const Edits = z.strictObject({ version, edits: z.array(Edit).min(1).max(100) });
const Query = z.strictObject({ query: z.string().trim().min(1).max(2000) });
const Wanted = z.strictObject({
  query: z.string().trim().min(1).max(2000),
  relevant: z.array(z.string().max(100)).max(20),
  remove: z.boolean().optional(),
});

/** @throws EditError for what the page should not send */
function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(body);
  if (error) throw new EditError('other', error.issues[0]?.message ?? 'not understood');
  return data;
}

/** Everything that the page does, on one profile. */
export function createDesk(options: DeskOptions): Desk {
  const { file, model, questions, signing, now } = options;
  const askable = createAsker(model);
  const judged = ({ document, version }: Version) => ({
    version,
    findings: findingsOf(document, { now: now(), neverPublish: options.neverPublish }),
  });
  let last = judged(file.now());
  let lastSigned: Json;
  let turn: Promise<unknown> = Promise.resolve();
  /** All that a page shows, and the claims made askable before anybody asks. */
  const whole = (at: Version) => {
    last = judged(at);
    askable(at.document).catch(() => {});
    return { ...at, canUndo: file.canUndo(), findings: Object.fromEntries(last.findings) };
  };
  /** After edits: what changes on a page that showed the document before them; for any other page, everything. */
  const changed = (shown: string, { before, after, conflicts }: Edited) => {
    const known = last;
    const { document, ...all } = whole(after);
    const merged = shown !== before.version;
    if (merged || conflicts.length > 0 || known.version !== before.version)
      return { ...all, document, conflicts, merged };
    return { ...all, conflicts, merged, findings: changedGroups(known.findings, last.findings), partly: true };
  };
  const measure = async () => {
    const list = await readQuestionFile(questions);
    const asking = await askable(file.now().document);
    return { list, asking, ranked: await rankAll(list, asking) };
  };
  return {
    async state() {
      const at = await file.refresh();
      if (await signing.isSigned(at.document)) lastSigned = at.document;
      return { ...whole(at), words: WORDS, fields: FIELDS };
    },
    async poll(body) {
      const shown = read(z.strictObject({ version }), body).version;
      const at = await file.refresh();
      return at.version === shown ? { version: shown } : whole(at);
    },
    async edit(body) {
      const { version: shown, edits } = read(Edits, body);
      return changed(shown, await file.edit(edits));
    },
    async undo() {
      const { after, conflicts } = await file.undo();
      return { ...whole(after), conflicts };
    },
    async ask(body) {
      return (await askable(file.now().document)).explain(read(Query, body).query);
    },
    async questions() {
      return measured(await measure());
    },
    async question(body) {
      const { query, relevant, remove } = read(Wanted, body);
      // One after the other: of two pages that add at once, neither loses its question.
      const done = turn.then(async () => {
        const others = (await readQuestionFile(questions)).filter(question => question.query !== query);
        const made = remove ? others : [...others, Question.parse({ query, relevant })];
        await writeQuestionFile(questions, made);
      });
      turn = done.catch(() => {});
      await done;
      return measured(await measure());
    },
    async hints() {
      const { ranked, asking } = await measure();
      return { hints: hintsOf(ranked, asking.claims) satisfies readonly Hint[] };
    },
    async signing() {
      const { document } = file.now();
      const signed = await signing.isSigned(document);
      if (signed) lastSigned = document;
      // What was signed before the studio opened is nowhere but in the file itself.
      const changes: readonly PartChanges[] | null =
        lastSigned === undefined ? null : changesBetween(lastSigned, document);
      return { key: signing.key, there: await signing.there(), signed, changes };
    },
    async sign(body) {
      const { renew } = read(z.strictObject({ renew: z.boolean() }), body);
      if (faultsIn(last.findings).length > 0 && !renew) throw new EditError('faults_first');
      await signing.sign(renew);
      return whole(await file.refresh());
    },
    async asked() {
      return { questions: await options.asked() };
    },
  };
}

const faultsIn = (findings: Findings): FieldFinding[] =>
  [...findings.values()].flat().filter(({ kind }) => kind === 'fault');

async function rankAll(list: readonly Question[], { retrieval, claims }: Asking): Promise<Ranked[]> {
  const known = new Set(claims.map(({ claim_id }) => claim_id));
  const ranked: Ranked[] = [];
  for (const question of list) {
    const ranking = await retrieval?.search(question.query, 5);
    // A claim that is not whole yet cannot come, and that is no fault of the words.
    const whole = question.relevant.length === 0 || question.relevant.some(id => known.has(id));
    if (ranking && whole) ranked.push({ question, ranking });
  }
  return ranked;
}

/** The figures, and each question with what came, misses first. */
function measured({ list, asking, ranked }: { list: readonly Question[]; asking: Asking; ranked: readonly Ranked[] }) {
  const rows = ranked.map(({ question, ranking }) => {
    const ids = ranking.scored.map(({ index }) => asking.claims[index]?.claim_id ?? '');
    const place = ids.findIndex(id => question.relevant.includes(id)) + 1;
    const { some } = ranking;
    return { query: question.query, relevant: question.relevant, place, came: ids[0] ?? '', some };
  });
  const loss = (row: (typeof rows)[number]) =>
    row.relevant.length === 0 ? row.some : row.place === 1 ? -1 : 2 - 1 / (row.place || 99);
  return {
    figures: figuresAtFive(ranked, asking.claims),
    rows: rows.toSorted((a, b) => loss(b) - loss(a)),
    waiting: list.length - ranked.length,
  };
}
