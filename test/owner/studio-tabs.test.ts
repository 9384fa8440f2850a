import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { seeded } from '../profile/any-text.ts';
import { CLAIM, profileFolder, startStudio } from './studio-support.ts';

/** `npm run bench -- edits 10000` makes ten thousand. */
const EDITS = Number(process.argv[2] ?? 500);
const MEMBERS = ['statement', 'category', 'boundary.applicable_for', 'metric.name', 'metric.unit'];

/** A document as a plain list: each claim an id with its texts by member. Written without the studio's own code. */
type Claims = { id: string; texts: Map<string, string> }[];

interface Tab {
  version: string;
  /** What this tab shows; it may be old. */
  claims: Claims;
}

const copyOf = (claims: Claims): Claims => claims.map(({ id, texts }) => ({ id, texts: new Map(texts) }));
const linesOf = (claims: Claims) =>
  claims.map(({ id, texts }) => `${id} ${JSON.stringify([...texts].sort())}`);

/** The same from the JSON of a file or of an answer. */
function claimsIn(document: { claims: Record<string, unknown>[] }): Claims {
  return document.claims.map(claim => {
    const texts = MEMBERS.flatMap((member): [string, string][] => {
      const value = member.split('.').reduce<unknown>((part, name) => Object(part)[name], claim);
      return typeof value === 'string' ? [[member, value]] : [];
    });
    return { id: String(claim.claim_id), texts: new Map(texts) };
  });
}

function jsonOf({ id, texts }: Claims[number]) {
  const claim: Record<string, unknown> = { claim_id: id, proof_ids: [] };
  for (const [member, text] of texts) {
    const [name = '', inner] = member.split('.');
    if (inner === undefined) claim[name] = text;
    else claim[name] = { ...Object(claim[name]), [inner]: text };
  }
  return claim;
}

/** Whole numbers below a bound. */
function picking(seed: number) {
  const random = seeded(seed);
  return (below: number) => Math.floor(random() * below);
}

type Edit = ReturnType<typeof randomEdit>;

/** What an owner may do to the claims that a tab shows. */
function randomEdit({ claims }: Tab, pick: (below: number) => number, fresh: () => string) {
  const at = pick(Math.max(1, claims.length));
  const claim = claims[at];
  const kind = pick(20);
  if (claim === undefined || claims.length < 3 || kind === 0) {
    const id = pick(4) === 0 && claim ? claim.id : fresh();
    return { kind: 'insert' as const, at, id, text: fresh() };
  }
  if (kind === 1) return { kind: 'remove' as const, id: claim.id, was: claim };
  if (kind === 3) return { kind: 'rename' as const, id: claim.id, to: fresh() };
  const member = MEMBERS[pick(MEMBERS.length)] ?? '';
  const text = pick(5) === 0 ? undefined : `texto ${pick(50)}`;
  return { kind: 'set' as const, id: claim.id, member, was: claim.texts.get(member), text };
}

/** The model: what the claims must be after an edit; false where the tab must be told of a conflict. */
function model(claims: Claims, edit: Edit): boolean {
  const at = claims.findIndex(({ id }) => id === edit.id);
  const claim = claims[at];
  if (edit.kind === 'insert') {
    if (claim) return false;
    claims.splice(edit.at, 0, { id: edit.id, texts: new Map([['statement', edit.text]]) });
    return true;
  }
  // Who takes something away of what is gone has lost nothing.
  if (!claim) return edit.kind === 'remove' || (edit.kind === 'set' && edit.text === undefined);
  if (edit.kind === 'remove') {
    if (linesOf([claim]).join() !== linesOf([edit.was]).join()) return false;
    claims.splice(at, 1);
  } else if (edit.kind === 'rename') claim.id = edit.to;
  else {
    const theirs = claim.texts.get(edit.member);
    if (theirs !== edit.was) return theirs === edit.text;
    if (edit.text === undefined) claim.texts.delete(edit.member);
    else claim.texts.set(edit.member, edit.text);
  }
  return true;
}

function asSent(edit: Edit) {
  if (edit.kind === 'insert')
    return {
      path: ['claims', edit.id],
      at: edit.at,
      value: jsonOf({ id: edit.id, texts: new Map([['statement', edit.text]]) }),
    };
  const path = ['claims', edit.id];
  if (edit.kind === 'remove') return { path, was: jsonOf(edit.was) };
  if (edit.kind === 'rename') return { path: [...path, 'claim_id'], was: edit.id, value: edit.to };
  return { path: [...path, ...edit.member.split('.')], was: edit.was, value: edit.text };
}

describe('two tabs of one studio, and an editor', { timeout: 240_000 }, () => {
  it(`leave after ${EDITS} random edits what a model says: no edit lost, none on another claim, each conflict told`, async t => {
    const { path, read } = await profileFolder(
      [1, 2, 3, 4, 5].map(at => ({ ...CLAIM, claim_id: `clm-${at}` })),
    );
    const { claims: _, ...rest } = await read();
    const write = (claims: Claims) =>
      writeFile(path('brand.json'), JSON.stringify({ ...rest, claims: claims.map(jsonOf) }));
    const file = claimsIn(await read());
    await write(file);
    const { done } = await startStudio(t, path);
    const opened = await done('state');
    const tabs: Tab[] = [0, 1].map(() => ({ version: opened.version, claims: claimsIn(opened.document) }));
    const pick = picking(37);
    let number = 5;
    const fresh = () => {
      number += 1;
      return `clm-${number}`;
    };
    const counts = { edits: 0, conflicts: 0, editor: 0 };
    while (counts.edits < EDITS) {
      const tab = tabs[pick(2)];
      assert.ok(tab);
      if (pick(10) === 0) {
        for (let edits = 0; edits < 3; edits += 1)
          model(file, randomEdit({ version: '', claims: file }, pick, fresh));
        await write(file);
        counts.editor += 1;
      }
      const edits = Array.from({ length: 1 + pick(12) }, () => {
        const edit = randomEdit(tab, pick, fresh);
        // The tab shows at once what its owner did.
        model(tab.claims, edit);
        return { edit, sent: asSent(edit) };
      });
      const told = edits.filter(({ edit }) => !model(file, edit)).map(({ sent }) => JSON.stringify(sent));
      const answer = await done('edit', { version: tab.version, edits: edits.map(({ sent }) => sent) });
      const conflicts = answer.conflicts.map(({ edit }: { edit: object }) => edit);
      assert.deepEqual(
        conflicts,
        told.map(sent => JSON.parse(sent)),
      );
      assert.deepEqual(linesOf(claimsIn(await read())), linesOf(file));
      tab.version = answer.version;
      if (answer.document) tab.claims = copyOf(claimsIn(answer.document));
      assert.deepEqual(linesOf(tab.claims), linesOf(file), 'the tab shows what the file says');
      counts.edits += edits.length;
      counts.conflicts += told.length;
    }
    assert.ok(counts.conflicts > EDITS / 100 && counts.editor > EDITS / 200, JSON.stringify(counts));
    t.diagnostic(
      `${counts.edits} edits, ${counts.conflicts} conflicts, ${counts.editor} changes of the editor: 0 differences`,
    );
  });
});
