import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { ROOT } from './folder.ts';

/** Arguments of an nginx in the foreground whose files are all in a folder. @param http what stands in its block `http` */
export function nginxArguments(folder: string, http: string, events = ''): readonly string[] {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  const outside = `daemon off; pid ${folder}/pid; error_log ${folder}/log; worker_processes 1; events { ${events} }`;
  // It reads them as another user.
  chmodSync(folder, 0o755);
  writeFileSync(
    `${folder}/nginx.conf`,
    `${outside}\nhttp { access_log off; ${temporary.join(' ')}\n${http}}`,
  );
  return ['-c', `${folder}/nginx.conf`];
}

/** The site of deploy/nginx.conf, without TLS, at another address. @param servers what stands for its upstreams */
export function shippedSite(listen: string, servers: (lines: string, last: string) => string): string {
  return readFileSync(`${ROOT}deploy/nginx.conf`, 'utf8')
    .replace(/(^ *server 127\.0\.0\.\d:87.*\n)+/m, servers)
    .replace(/listen 443 .*;/, `listen ${listen};`)
    .replace(/^ *ssl_.*\n/gm, '');
}
