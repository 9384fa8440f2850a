import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** package.json and package-lock.json without the development packages: what production installs. */
const ROOT = fileURLToPath(new URL('.', import.meta.url));
const read = file => JSON.parse(readFileSync(`${ROOT}${file}`, 'utf8'));

const { devDependencies: _, ...own } = read('package.json');
const whole = read('package-lock.json');
const { devDependencies: __, ...root } = whole.packages[''];
const needed = Object.entries(whole.packages).filter(([path, { dev }]) => path !== '' && !dev);

export const manifest = own;
export const lock = { ...whole, packages: { '': root, ...Object.fromEntries(needed) } };
