import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { RetrievalModel } from '../../brand/retrieval/model.ts';
import { FLOORS } from '../../brand/retrieval/similarity.ts';
import type { Counted } from '../asked.ts';
import { openBasics } from '../basics.ts';
import { changesBetween } from '../changes.ts';
import { checkProfile, contentFindings } from '../check-profile.ts';
import { readDraft } from '../draft.ts';
import { FIELDS } from '../fields.ts';
import type { Json } from '../member.ts';
import { EXAMPLE_CLAIM } from '../new-profile.ts';
import { Question, readQuestionFile, writeQuestionFile } from '../questions.ts';
import { EditError } from '../said-error.ts';
import { WORDS } from '../studio-words.ts';
import { createAsker, explain } from './asking.ts';
import { Edit } from './document.ts';
import { fieldFindings } from './findings.ts';
import { createTurns, type ProfileFile, type Version } from './profile-file.ts';

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
const query = z.string().trim().min(1).max(2000);
const Edits = z.strictObject({ version, edits: z.array(Edit).min(1).max(1000) });
const Wanted = z.strictObject({
  query,
  relevant: z.array(z.string().max(100)).max(20),
  remove: z.boolean().optional(),
});
const Signing = z.strictObject({ renew: z.boolean(), seen: z.array(z.string()).default([]) });

/** @throws EditError for what the page should not send */
function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(body);
  if (error) throw new EditError('other', error.issues[0]?.message ?? 'not understood');
  return data;
}

/** Everything that the page does, on one profile. */
export function createDesk(options: DeskOptions): Desk {
  const { file, model, questions, signing, now, neverPublish } = options;
  const askable = createAsker(model);
  let lastSigned: Json;
  /** Of two pages that change the questions at once, neither loses its own. */
  const inTurn = createTurns();
  /** All that a page shows, and the claims made askable before anybody asks. */
  const whole = (at: Version) => {
    askable(at.document).catch(() => {});
    return { ...at, findings: fieldFindings(contentFindings(at.document, { now: now(), neverPublish })) };
  };
  /** All that `aval check` says of the text, but that it is not signed. */
  const checked = async () => {
    const bytes = Buffer.from(JSON.stringify(file.now().document));
    const { embedder } = model;
    const report = await checkProfile(bytes, {
      now: now(),
      neverPublish,
      embedder,
      model: async () => model,
    });
    return fieldFindings({
      ...report,
      warnings: report.warnings.filter(({ path }) => path !== 'signatures'),
    });
  };
  const measured = async () => {
    const list = await readQuestionFile(questions);
    const asking = await askable(file.now().document);
    const rows = await Promise.all(
      list.map(async ({ query, relevant }) => {
        const { matches, some } = await explain(asking, query);
        const ids = matches.map(({ claim }) => claim.claim_id);
        const right = relevant.length === 0 ? some < FLOORS.some : relevant.includes(ids[0] ?? '');
        return { query, relevant, came: ids[0] ?? '', right };
      }),
    );
    return { rows: rows.toSorted((a, b) => Number(a.right) - Number(b.right)) };
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
      const { before, after, conflicts } = await file.edit(edits);
      const made = edits.filter(edit => !conflicts.some(conflict => conflict.edit === edit));
      await inTurn(() => renameInQuestions(questions, made));
      return { ...whole(after), conflicts, merged: shown !== before.version };
    },
    async ask(body) {
      const asked = read(z.strictObject({ query }), body);
      return explain(await askable(file.now().document), asked.query);
    },
    async basics() {
      const { document } = file.now();
      const asking = await askable(document);
      return {
        open: await openBasics(document, async text => (await explain(asking, text)).matches[0]?.band),
      };
    },
    async questions() {
      await inTurn(async () => {});
      return measured();
    },
    async question(body) {
      const { query, relevant, remove } = read(Wanted, body);
      const { claimIds } = readDraft(file.now().document);
      if (!remove && !relevant.every(id => claimIds.includes(id))) throw new EditError('no_such_claim');
      const before = await inTurn(async () => {
        const kept = await readQuestionFile(questions);
        const before = kept.find(question => question.query === query);
        const others = kept.filter(question => question.query !== query);
        const changed = Question.parse({ ...before, query, relevant });
        await writeQuestionFile(questions, remove ? others : [...others, changed]);
        return before;
      });
      return { before, ...(await measured()) };
    },
    async signing() {
      const { document } = file.now();
      const signed = await signing.isSigned(document);
      if (signed) lastSigned = document;
      // What was signed before the studio opened is nowhere but in the file itself; an example was nobody's words.
      const changes =
        lastSigned === undefined
          ? null
          : changesBetween(lastSigned, document).filter(
              ({ part, kind }) => kind !== 'removed' || !part.includes(` ${EXAMPLE_CLAIM}`),
            );
      return { key: signing.key, there: await signing.there(), signed, changes, findings: await checked() };
    },
    async sign(body) {
      const { renew, seen } = read(Signing, body);
      const isLeft = ({ path }: { readonly path: readonly PropertyKey[] }) =>
        !(renew && path[0] === 'expires_at');
      const found = (await checked()).filter(isLeft);
      if (found.some(({ kind }) => kind === 'fault')) throw new EditError('faults_first');
      const unseen = found.find(({ harmful, path }) => harmful && !seen.includes(path.join('.')));
      if (unseen) throw new EditError('unseen', unseen.said.en, unseen.said.es);
      await signing.sign(renew);
      const at = await file.refresh();
      lastSigned = at.document;
      return whole(at);
    },
    async asked() {
      return { questions: await options.asked() };
    },
  };
}

/** The owner's questions follow the id of a claim that was renamed. */
async function renameInQuestions(path: string, edits: readonly Edit[]): Promise<void> {
  const renames = edits.filter(
    ({ path: [list, , member], value }) => list === 'claims' && member === 'claim_id' && value,
  );
  if (renames.length === 0) return;
  const kept = await readQuestionFile(path);
  const idNow = (id: string) =>
    renames.reduce((now, { was, value }) => (now === was ? String(value) : now), id);
  const fresh = kept.map(question => ({ ...question, relevant: question.relevant.map(idNow) }));
  if (!isDeepStrictEqual(fresh, kept)) await writeQuestionFile(path, fresh);
}
