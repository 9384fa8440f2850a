import { chmodSync, writeFileSync } from 'node:fs';

/** Arguments of an nginx in the foreground whose files are all in a folder. @param http what stands in its block `http` */
export function nginxArguments(folder: string, http: string, events = ''): readonly string[] {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  const outside = `daemon off; pid ${folder}/pid; error_log ${folder}/log; worker_processes 1; events { ${events} }`;
  // It reads them as another user.
  chmodSync(folder, 0o755);
  writeFileSync(`${folder}/nginx.conf`, `${outside}\nhttp { access_log off; ${temporary.join(' ')}\n${http}}`);
  return ['-c', `${folder}/nginx.conf`];
}
