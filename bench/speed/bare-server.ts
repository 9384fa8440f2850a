import { exampleBrand } from '../../test/support/example.ts';
import { serve } from '../../test/support/serve.ts';

/**
 * The limit of what node:http can do: it answers with a ready answer of the example brand, serialised anew: as
 * many bytes as ours, and no work.
 */
const brand = await exampleBrand();
const answer = await brand.ask('¿Cuánto cuesta el diagnóstico?');

const url = await serve({ after: () => {} }, (_request, response) => {
  const text = JSON.stringify(answer);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
});
process.stderr.write(`${JSON.stringify({ url })}\n`);
