import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { startServerProcess } from '../support/server-process.ts';
import { bodyOf } from '../support/support.ts';

const run = promisify(execFile);

/** The commands of docs/owner.md, each with what it prints there. */
const COMMANDS = [...readFileSync(`${ROOT}docs/owner.md`, 'utf8').matchAll(/```console\n(.*?)```/gs)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map(text => ({ command: text.slice(0, text.indexOf('\n')), prints: text.slice(text.indexOf('\n') + 1) }));

/** The printed text with … where the page leaves lines out. */
function leftOut(printed: string, page: string): string {
  const [begin = '', end] = page.split(/^…$/m);
  if (end === undefined || !printed.startsWith(begin) || !printed.endsWith(end)) return printed;
  return `${begin}…${end}`;
}

/** Keys and times are new each time. */
const neutral = (text: string) =>
  text.replace(/[\w-]{43}\b/g, 'KEY').replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME');

describe("an owner's path from an empty folder", { timeout: 600_000 }, () => {
  it('to a signed, served profile of ten claims prints what docs/owner.md says, and types no JSON', async t => {
    const [directory, path] = [temporaryFolder(), program()];
    const env = {
      PATH: `${path}${delimiter}${process.env.PATH}`,
      DATA_DIR: join(directory, 'data'),
    };
    writeFileSync(
      join(directory, 'gaps.csv'),
      'afirmación,categoría,se aplica a\nMolemos cada lunes,molienda,Todas las harinas\n',
    );
    const started = performance.now();
    assert.equal(COMMANDS.length, 6);
    for (const { command, prints } of COMMANDS) {
      const { stdout } = await run('sh', ['-c', `{ ${command}; } > out 2> err; cat out err`], {
        cwd: directory,
        env,
      });
      const printed = neutral(
        stdout.replaceAll(realpathSync(`${ROOT}server/cli.ts`), 'aval').replace(/ --import \S+/g, ''),
      );
      assert.equal(leftOut(printed, neutral(prints)), neutral(prints), command);
      if (command.startsWith('aval csv export'))
        copyFileSync(`${ROOT}examples/claims.csv`, join(directory, 'claims.csv'));
    }
    t.diagnostic(`${COMMANDS.length} commands took ${Math.round((performance.now() - started) / 1000)} s`);

    const settings = {
      BRAND_FILE: join(directory, 'brand.json'),
      BRAND_JWKS: join(directory, 'brand.jwks.json'),
    };
    const { url } = await startServerProcess(t, { ...settings, DATA_DIR: env.DATA_DIR });
    const answer = await bodyOf(
      await fetch(`${url}/ask?q=${encodeURIComponent('¿en cuánto tiempo llega un pedido?')}`),
    );
    assert.equal(answer.brand, 'Molino Sur');
    assert.match(answer.matches[0].statement, /24 horas/);
    const proof = `aval verify '${url}/ask?q=plazo%20de%20entrega'`;
    const { stdout } = await run('sh', ['-c', proof], { cwd: directory, env });
    assert.match(stdout, /^verified: \d+ match/);
  });
});

/** A folder with the program as `aval`. */
function program(): string {
  const directory = temporaryFolder();
  const linked = join(directory, 'linked', 'aval');
  mkdirSync(join(directory, 'linked'));
  symlinkSync(`${ROOT}server/cli.ts`, linked);
  const script = `#!/bin/sh\nexec '${process.execPath}' --import '${import.meta.resolve('tsx')}' '${linked}' "$@"\n`;
  writeFileSync(join(directory, 'aval'), script, { mode: 0o755 });
  return directory;
}
