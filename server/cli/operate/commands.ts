import type { Command } from 'commander';

/** The commands of whoever runs a server. Each loads its code when it runs. */
export function addOperateCommands(program: Command): void {
  program
    .command('registry')
    .description('print server.json for the MCP registry, from BASE_URL and BRAND_FILE')
    .option('--auth <pem>', 'print the proof of the domain instead: the public half of an Ed25519 key')
    .action(async options => {
      const { environment } = await brandToServe();
      process.exitCode = await (await import('./registry.ts')).registry(options, environment, process);
    });

  program
    .command('embed')
    .description("print what puts question box and forms on another site's page")
    .action(async () => (await import('./embed-command.ts')).embed(process.env, process));

  program
    .command('doctor')
    .description('check everything an installation needs, and print each fix')
    .option('--profile', 'the profile alone, as a reload reads it')
    .option('--json', 'print what was found as JSON')
    .action(async options => {
      const { environment } = await brandToServe();
      process.exitCode = await (await import('./doctor.ts')).doctor(options, environment, process);
    });

  program
    .command('variables')
    .description('list the environment variables with their defaults')
    .action(async () => void process.stdout.write((await import('../../config/config.ts')).envFile()));
}

/** The settings with the profile that a server takes. */
async function brandToServe() {
  const { chooseAndSay } = await import('../../config/chosen-brand.ts');
  return chooseAndSay({ environment: process.env, isServer: true });
}
