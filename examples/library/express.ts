import { createServer } from 'aval';
import express from 'express';

const port = Number(process.env.PORT ?? 3000);
const aval = await createServer({
  ...process.env,
  BASE_URL: `http://127.0.0.1:${port}`,
  PUBLISH_OFF: 'home,robots,sitemap',
});

const site = express();
site.use(aval.handler); // before express.json(), which would take the bodies
site.use(express.json());
site.get('/', (_request, response) => {
  response.send('<h1>The site itself</h1>');
});
const listener = site.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));

process.once('SIGTERM', () => listener.close(() => aval.close()));
