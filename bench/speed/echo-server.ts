import { exampleBrand } from '../../test/support/example.ts';
import { serve } from '../../test/support/serve.ts';

/**
 * The limit of what node:http can do. `/echo` reads JSON and answers the same JSON; `/answer` reads JSON and
 * answers a ready answer of the example brand, serialised anew: as many bytes as ours, and no work.
 */
const brand = await exampleBrand();
const answer = await brand.ask('¿Cuánto cuesta el diagnóstico?');

const url = await serve({ after: () => {} }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : { url: request.url };
    const text = JSON.stringify(request.url?.startsWith('/answer') ? answer : body);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});
process.stderr.write(`${JSON.stringify({ url })}\n`);
