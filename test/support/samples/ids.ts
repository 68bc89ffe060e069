import { createHash } from 'node:crypto';

/** 32 hex digits that a name always gives. */
export function digest(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

/** A made-up session id in the form of a random UUID. */
export function sessionId(name: string): string {
  const hex = digest(`session ${name}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export const S1 = sessionId('one');
export const S2 = sessionId('two');
