import type { LinkCheck, LinkMend } from '../../../src/ports/store/store.ts';
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
  movedTo: null,
  etag: null,
  lastModified: null,
  picture: null,
  ...changes,
});

export const deadLink = (url: string, changes: Partial<LinkCheck> = {}): LinkCheck =>
  linkCheck(url, { state: 'dead', status: 404, reason: 'not-found', failures: 1, ...changes });

export const unsureLink = (url: string, changes: Partial<LinkCheck> = {}): LinkCheck =>
  linkCheck(url, { state: 'unsure', status: null, reason: 'timeout', failures: 1, ...changes });

/** Another object was put in the place of a dead one. */
export const linkMend = (id: string, changes: Partial<LinkMend> = {}): LinkMend => ({
  id,
  tenantId: 'lyon',
  url: 'https://a.example/dead',
  kind: 'replace',
  madeBy: 'Ada',
  madeAt: at(1),
  undoneAt: null,
  reason: 'gone',
  since: at(-3),
  object: { title: 'Alive', url: 'https://a.example/alive' },
  changes: [{ linkId: 'link', from: 'a', to: 'b' }],
  ...changes,
});
