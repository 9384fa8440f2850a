import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Finding } from './discovery-findings.ts';
import { temporaryFolder } from './folder.ts';
import { bodyOf, ROOT } from './support.ts';

const PACKAGES = ['skills-ref==0.1.1', 'a2a-sdk==1.3.0'];

const run = promisify(execFile);

/**
 * The validator of the agent skills, and the A2A client in Python, each as its makers publish it, in a virtual
 * environment that goes when they are done.
 * @returns what they found, or why they cannot run here
 */
export async function pythonFindings(url: string): Promise<Finding[] | string> {
  const folder = temporaryFolder();
  const binary = (name: string) => join(folder, 'bin', name);
  const missing = await install(folder, binary('python'));
  if (missing !== undefined) return missing;
  return [...(await skillFindings(url, folder, binary('agentskills'))), await a2aFinding(url, binary('python'))];
}

async function install(folder: string, python: string): Promise<string | undefined> {
  try {
    await run('python3', ['-m', 'venv', folder]);
  } catch {
    return 'python3 with venv is not installed';
  }
  try {
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]);
    return undefined;
  } catch {
    return `pip could not install ${PACKAGES.join(' and ')}`;
  }
}

async function skillFindings(url: string, folder: string, agentskills: string): Promise<Finding[]> {
  const { skills } = await bodyOf(await fetch(`${url}/.well-known/agent-skills/index.json`));
  const findings: Finding[] = [];
  for (const skill of skills) {
    const directory = join(folder, skill.name);
    await mkdir(directory);
    await writeFile(join(directory, 'SKILL.md'), await (await fetch(new URL(skill.url, url))).text());
    findings.push({
      what: `skills-ref validate ${skill.name}`,
      fault: await faultIn(run(agentskills, ['validate', directory])),
    });
  }
  return findings;
}

async function a2aFinding(url: string, python: string): Promise<Finding> {
  const what = 'A2A Python SDK: card, question, tasks';
  const question = '¿Cuánto cuesta el diagnóstico?';
  try {
    const { stdout } = await run(python, [`${ROOT}test/discovery-python/a2a_client.py`, url, question]);
    const { brand, matches } = await bodyOf(await fetch(`${url}/ask?q=${encodeURIComponent(question)}`));
    const expected = { brand, matches: matches.length, tasks: 0, refused: 'TaskNotFoundError' };
    const fault = JSON.stringify(JSON.parse(stdout)) === JSON.stringify(expected) ? undefined : stdout.trim();
    return { what, fault };
  } catch (error) {
    return { what, fault: String(error) };
  }
}

async function faultIn(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return String(error);
  }
}
