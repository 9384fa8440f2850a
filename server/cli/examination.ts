import { messageOf } from '../../brand/profile/thrown.ts';

/** What an examination found: fine, worth knowing, or at fault, with the fix. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'fault';
  readonly says: string;
}

export const ok = (says: string): Finding => ({ state: 'ok', says });
export const note = (says: string): Finding => ({ state: 'note', says });

/** What was thrown says what is at fault. */
export const fault = (error: unknown): Finding => ({
  state: 'fault',
  says: messageOf(error),
});
