import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension } from '@anthropic-ai/mcpb';
import { toolsOf } from '../tools/index.ts';
import { manifest } from './manifest.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * What `aval stdio` loads besides what is in dist/, the dry run of a submission included. The database comes built for
 * every platform, so one bundle serves them all; `npm run check:clients` fails when one is missing.
 */
const PACKAGES = ['nodemailer', '@photostructure/sqlite', 'node-gyp-build'];

const FILES = ['dist/server', 'model', 'examples', 'LICENSE'];

/**
 * Packs the compiled server into `file`, a bundle that Claude Desktop and other hosts install with a click.
 * @throws Error when something is not built, or the manifest breaks the format
 */
export async function bundle(file: string): Promise<{ bytes: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'aval-mcpb-'));
  try {
    for (const path of [...FILES, ...PACKAGES.map(name => `node_modules/${name}`)]) {
      await cp(join(ROOT, path), join(folder, path), { recursive: true, filter: isNeeded });
    }
    await cp(join(ROOT, 'mcpb/icon.png'), join(folder, 'icon.png'));
    await writeFile(join(folder, 'package.json'), JSON.stringify(await packageJson()));
    await writeFile(
      join(folder, 'manifest.json'),
      JSON.stringify(manifest(toolsOf(undefined, { signed: false, mode: 'dry-run' })), null, 2),
    );
    const packed = await packExtension({ extensionPath: folder, outputPath: file, silent: true });
    if (!packed)
      throw new Error(`${file} is not written: mcpb validate names what is wrong with mcpb/manifest.ts`);
    return { bytes: (await stat(file)).size };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Types, maps and sources of packages are for developers. The encoder would bring binaries of 290 MB: here the table answers alone. */
const isNeeded = (path: string) =>
  !/\.(map|d\.[cm]?ts)$|\/zod\/src$|\/node_modules\/.*\.md$|\/model\/(training|encoder)$|\/sqlite\/src$/.test(
    path,
  );

/** How Node reads the files of the bundle. */
async function packageJson() {
  const { name, version, type, imports, engines } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  );
  return { name, version, type, imports, engines };
}
