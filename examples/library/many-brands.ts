import { readdir } from 'node:fs/promises';
import { createServer as createListener } from 'node:http';
import { createServer } from 'aval';

// A folder a site, named after its host: SITES/acme.example/brand.json and brand.jwks.json.
const folder = process.env.SITES ?? 'sites';
const brands = new Map();
for (const host of await readdir(folder)) {
  const aval = await createServer({
    ...process.env,
    BASE_URL: `https://${host}`,
    BRAND_FILE: `${folder}/${host}/brand.json`,
    BRAND_JWKS: `${folder}/${host}/brand.jwks.json`,
    DATA_DIR: `${folder}/${host}/data`, // each site keeps its own submissions and limits
  });
  brands.set(host, aval);
}

const listener = createListener((request, response) => {
  const aval = brands.get(request.headers.host);
  if (aval) aval.handler(request, response);
  else response.writeHead(421).end('No such site is served here.\n');
});
const port = Number(process.env.PORT ?? 3000);
listener.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));

process.on('SIGHUP', () => {
  for (const aval of brands.values()) aval.reload();
});
process.once('SIGTERM', () => {
  listener.close();
  for (const aval of brands.values()) aval.close();
});
