import type { ImportEntry, ImportRecord, TaxonomyReport } from '../../../src/ports/store/store.ts';
import { at } from './records.ts';

export const taxonomyReport: TaxonomyReport = {
  renamed: 0,
  merged: 0,
  withdrawn: 1,
  concepts: [
    {
      fate: 'withdrawn',
      key: 'acme:a',
      name: 'a',
      now: null,
      into: null,
      objects: 1,
      edits: 2,
      synonyms: ['b'],
    },
  ],
};

export const importRecord = (id: string, changes: Partial<ImportRecord> = {}): ImportRecord => ({
  id,
  number: 1,
  format: 'objects',
  dataset: 'spring',
  title: `Title of ${id}`,
  state: 'live',
  actor: { kind: 'admin', id: 'ada', name: 'Ada', address: '192.0.2.7' },
  startedAt: at(0),
  endedAt: at(1),
  aliveUntil: at(1),
  fingerprint: `fingerprint of ${id}`,
  position: null,
  done: 3_000_000_000,
  total: 4_000_000_000,
  unit: 'bytes',
  counts: { rows: 6, rejected: 1, warned: 7, added: 2, changed: 3, unchanged: 4, removed: 5 },
  rejected: [{ place: 'objects.csv:7', reason: 'It has no address.', isUsed: false }],
  changes: [{ fate: 'added', kind: 'object', key: 'https://example.org/a' }],
  report: null,
  comparedWith: 3,
  origin: { address: 'https://example.org/feed', langs: ['en'] },
  rhythm: null,
  choices: { map: { 'Course Title': 'title', Rating: '' } },
  problem: null,
  isUndoable: true,
  version: 1,
  ...changes,
});

export const importEntry = (key: string, changes: Partial<ImportEntry> = {}): ImportEntry => ({
  dataset: 'spring',
  kind: 'object',
  key,
  part: '',
  importNumber: 1,
  state: 'put',
  hash: `hash of ${key}`,
  body: { title: `Title of ${key}`, list: [1, null, { deep: true }] },
  ...changes,
});

/** Says of a part that it is gone, or was seen. */
export const bodiless = (key: string, changes: Partial<ImportEntry>): ImportEntry =>
  importEntry(key, { state: 'removed', hash: '', body: null, ...changes });

export const withoutBodies = (entries: readonly ImportEntry[]): ImportEntry[] =>
  entries.map((entry) => ({ ...entry, body: null }));
