import { VARIABLES } from '../config/environment.ts';

/** `aval variables`: every setting, in the form of an .env file. */
export function variables(): void {
  process.stdout.write(`${envFile()}\n`);
}

/** The text of .env.example. */
export function envFile(): string {
  return VARIABLES.map(({ name, fallback, description }) => `# ${description}\n#${name}=${fallback}`).join('\n\n');
}
