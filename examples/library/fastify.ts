import { createServer } from 'aval';
import fastify from 'fastify';

const port = Number(process.env.PORT ?? 3000);
const aval = await createServer({
  ...process.env,
  BASE_URL: `http://127.0.0.1:${port}`,
  PUBLISH_OFF: 'home,robots,sitemap',
});

const site = fastify();
site.addHook('onRequest', (request, reply, done) => aval.handler(request.raw, reply.raw, done));
site.get('/', async (_request, reply) => reply.type('text/html').send('<h1>The site itself</h1>'));
console.log(await site.listen({ port, host: '127.0.0.1' }));

process.once('SIGTERM', async () => {
  await site.close();
  await aval.close();
});
