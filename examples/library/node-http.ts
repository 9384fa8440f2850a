import { createServer as createSite } from 'node:http';
import { createServer } from 'aval';

const port = Number(process.env.PORT ?? 3000);
const aval = await createServer({
  ...process.env,
  BASE_URL: `http://127.0.0.1:${port}`, // the site's public address
  PUBLISH_OFF: 'home,robots,sitemap', // which the site has itself
});

const site = createSite((request, response) => {
  aval.handler(request, response, () => {
    response.setHeader('content-type', 'text/html').end('<h1>The site itself</h1>');
  });
});
site.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));

process.once('SIGTERM', () => site.close(() => aval.close()));
