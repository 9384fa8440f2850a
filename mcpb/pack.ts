import { bundle } from './bundle.ts';

/** `npm run mcpb`: writes dist/aval.mcpb. */
const { bytes } = await bundle('dist/aval.mcpb');
process.stderr.write(`dist/aval.mcpb: ${(bytes / 1024 / 1024).toFixed(1)} MB\n`);
