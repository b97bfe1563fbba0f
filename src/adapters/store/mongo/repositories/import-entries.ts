import type { Connection } from 'mongoose';
import { type CatalogKind, catalogKinds } from '../../../../domain/catalog.ts';
import { toRecordKey } from '../../../../domain/record-key.ts';
import type { EntryPart, EntryPlace, ImportEntry, ImportRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { integer, json, text } from '../fields.ts';

const DIGITS = 9;
/** Larger bodies come from versions that kept them; reading many of them would hold the host up. */
const MAX_BODY = 1_000_000;
const PAGE_CHARS = 1_000_000;

const partOf = (dataset: string, { kind, key, part }: EntryPart) => [dataset, ordinal(kind), key, part];

/** In the order of its parts: kinds are numbers, and numbers of imports have all their digits. */
const keyOf = (place: EntryPlace) =>
  toRecordKey([...partOf(place.dataset, place), `${place.importNumber}`.padStart(DIGITS, '0')]);

/** The same for all entries of a part. */
const partKeyOf = (dataset: string, part: EntryPart) => toRecordKey(partOf(dataset, part));

export const importEntries = defineCollection<ImportEntry>('importEntries', {
  fields: {
    kind: text,
    key: text,
    dataset: text,
    part: text,
    importNumber: integer,
    state: text,
    hash: text,
    body: json,
  },
  key: keyOf,
  derived: { part: { field: text, of: (entry) => partKeyOf(entry.dataset, entry) } },
  indexes: [{ key: { 'derived.part': 1 } }, { key: { importNumber: 1, state: 1 } }],
});

type EntryRepository = Pick<
  ImportRepository,
  'putEntries' | 'findEntries' | 'findEntriesOf' | 'readEntries' | 'removeEntries' | 'removeEntriesOf'
>;

export function createEntryRepository(connection: Connection): EntryRepository {
  const model = openCollection(connection, importEntries);
  return {
    async putEntries(entries) {
      if (entries.length === 0) return;
      const replacements = entries.map((entry) => {
        const replacement = importEntries.toDocument(entry);
        return { replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } };
      });
      await model.bulkWrite(replacements, { ordered: false, throwOnValidationError: true });
    },
    async findEntries(dataset, parts, { withBodies } = { withBodies: false }) {
      const wanted = { 'derived.part': { $in: parts.map((part) => partKeyOf(dataset, part)) } };
      const found = await model.find(wanted, withBodies ? {} : { body: 0 }).lean<Document[]>();
      return found.map(withBodies ? withoutLargeBody : withoutBody);
    },
    async findEntriesOf(importNumber, limit) {
      const wanted = { importNumber, state: { $in: ['put', 'removed'] } };
      return (await model.find(wanted, { body: 0 }).limit(limit).lean<Document[]>()).map(withoutBody);
    },
    async readEntries({ dataset, after, limit, chars = PAGE_CHARS, withBodies }) {
      const later = after === null ? { $gt: toRecordKey([dataset, '']) } : { $gt: keyOf(after) };
      const within = { _id: { ...later, $lt: firstAfter(dataset) } };
      const found = model
        .find(within, withBodies ? {} : { body: 0 })
        .sort({ _id: 1 })
        .limit(limit);
      if (!withBodies) return (await found.lean<Document[]>()).map(withoutBody);
      return takePage(found.lean<Document>().cursor(), chars);
    },
    async removeEntries(places) {
      await model.deleteMany({ _id: { $in: places.map(keyOf) } });
    },
    async removeEntriesOf(importNumber, limit, state) {
      const wanted = { importNumber, ...(state !== undefined && { state }) };
      const found = await model.find(wanted, { _id: 1 }).limit(limit).lean<Document[]>();
      if (found.length === 0) return 0;
      await model.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      return found.length;
    },
  };
}

/** Within keys, a `!` never follows a whole part: only a blank does. */
function firstAfter(dataset: string): string {
  return `${toRecordKey([dataset, '']).slice(0, -1)}!`;
}

/** The server gives what is large in smaller batches. */
async function takePage(documents: AsyncIterable<Document>, chars: number): Promise<ImportEntry[]> {
  const page: ImportEntry[] = [];
  let total = 0;
  for await (const document of documents) {
    const size = sizeOf(document.body);
    total += size <= MAX_BODY ? size : 0;
    if (page.length > 0 && total > chars) break;
    page.push(withoutLargeBody(document));
  }
  return page;
}

function sizeOf(body: unknown): number {
  return typeof body === 'string' ? body.length : 0;
}

function withoutLargeBody(document: Document): ImportEntry {
  return importEntries.toRecord(sizeOf(document.body) <= MAX_BODY ? document : { ...document, body: '{}' });
}

function withoutBody(document: Document): ImportEntry {
  return importEntries.toRecord({ ...document, body: null });
}

function ordinal(kind: CatalogKind): string {
  return `${catalogKinds.indexOf(kind)}`;
}
