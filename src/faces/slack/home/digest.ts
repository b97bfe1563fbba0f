import { createHash } from 'node:crypto';

const DIGEST_LENGTH = 16;

/** What a button on Home carries for a text: too short for a secret, the same however often Home is drawn, and never over.
 *  Home stays open for days, so that a place in a list, or a kept state, would by then stand for something else. */
export const digestText = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH);
