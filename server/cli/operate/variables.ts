import { VARIABLES } from '../../config/config.ts';

/** `aval variables`: every setting, in the form of an .env file. */
export function variables(): void {
  process.stdout.write(`${envFile()}\n`);
}

/** The text of .env.example. */
export function envFile(): string {
  return VARIABLES.map(({ name, fallback, words }) => `# ${words}\n#${name}=${fallback}`).join('\n\n');
}
