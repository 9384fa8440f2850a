import { existsSync } from 'node:fs';

/** Chromium as Linux distributions install it. `undefined`: there is none. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(path =>
  existsSync(path),
);
