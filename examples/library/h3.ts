import { createServer } from 'aval';
import { fromNodeHandler, H3, html, serve } from 'h3';

const port = Number(process.env.PORT ?? 3000);
const aval = await createServer({
  ...process.env,
  BASE_URL: `http://127.0.0.1:${port}`,
  PUBLISH_OFF: 'home,robots,sitemap',
});

const site = new H3();
site.use(fromNodeHandler(aval.handler));
site.get('/', () => html`<h1>The site itself</h1>`);
const listener = serve(site, { port, hostname: '127.0.0.1', gracefulShutdown: false });
await listener.ready();
console.log(listener.url);

process.once('SIGTERM', async () => {
  await listener.close();
  await aval.close();
});
