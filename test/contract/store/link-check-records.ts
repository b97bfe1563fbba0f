import type { LinkCheck } from '../../../src/ports/store/store.ts';
import { at } from './records.ts';

/** Of an address that answers. */
export const linkCheck = (url: string, changes: Partial<LinkCheck> = {}): LinkCheck => ({
  url,
  state: 'alive',
  checkedAt: at(0),
  since: at(0),
  status: 200,
  reason: null,
  failures: 0,
  ...changes,
});

export const deadLink = (url: string, changes: Partial<LinkCheck> = {}): LinkCheck =>
  linkCheck(url, { state: 'dead', status: 404, reason: 'not-found', failures: 1, ...changes });

export const unsureLink = (url: string, changes: Partial<LinkCheck> = {}): LinkCheck =>
  linkCheck(url, { state: 'unsure', status: null, reason: 'timeout', failures: 1, ...changes });
