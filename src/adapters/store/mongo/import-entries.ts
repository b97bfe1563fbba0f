import type { Connection } from 'mongoose';
import { toRecordKey } from '#domain/record-key';
import { type ImportEntries, type ImportEntry, importEntryRecords, toImportPartKey } from '#ports/store/store';
import { collectionOf, type Document, openCollection } from './collection.ts';
import { toRecordReplacement, writeAllRecords } from './records.ts';

const { toDocument, toId, toRecord, toStored } = collectionOf(importEntryRecords);

/** Limit of a body in characters: reading a larger one of an older version blocks the host. */
const MAX_BODY = 1_000_000;
const PAGE_CHARS = 1_000_000;

export function createImportEntries(connection: Connection): ImportEntries {
  const model = openCollection(connection, importEntryRecords);
  return {
    putEntries: (entries) =>
      writeAllRecords(
        model,
        entries.map((entry) => toRecordReplacement(toDocument(entry))),
      ),
    async findEntries(dataset, parts, { withBodies } = { withBodies: false }) {
      const filter = { 'derived.part': { $in: parts.map((part) => toImportPartKey(dataset, part)) } };
      const documents = await model.find(filter, withBodies ? {} : { body: 0 }).lean<Document[]>();
      return documents.map(withBodies ? withoutLargeEntryBody : withoutEntryBody);
    },
    async findEntriesOf(importNumber, limit) {
      const filter = { importNumber: toStored('importNumber', importNumber), state: { $in: ['put', 'removed'] } };
      return (await model.find(filter, { body: 0 }).limit(limit).lean<Document[]>()).map(withoutEntryBody);
    },
    async readEntries({ dataset, after, limit, chars = PAGE_CHARS, withBodies }) {
      const later = after === null ? { $gt: toRecordKey([dataset, '']) } : { $gt: toId(after) };
      const within = { _id: { ...later, $lt: firstEntryAfter(dataset) } };
      const documents = model
        .find(within, withBodies ? {} : { body: 0 })
        .sort({ _id: 1 })
        .limit(limit);
      if (!withBodies) return (await documents.lean<Document[]>()).map(withoutEntryBody);
      return takeEntryPage(documents.lean<Document>().cursor(), chars);
    },
    async removeEntries(places) {
      await model.deleteMany({ _id: { $in: places.map(toId) } });
    },
    async removeEntriesOf(importNumber, limit, state) {
      const filter = { importNumber: toStored('importNumber', importNumber), ...(state !== undefined && { state }) };
      const documents = await model.find(filter, { _id: 1 }).limit(limit).lean<Document[]>();
      if (documents.length === 0) return 0;
      await model.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } });
      return documents.length;
    },
  };
}

/** A key after all entries of a dataset: in keys a space follows each part, and `!` sorts later. */
const firstEntryAfter = (dataset: string): string => `${toRecordKey([dataset, '']).slice(0, -1)}!`;

/** Takes entries until their bodies have so many characters; at least one. */
async function takeEntryPage(documents: AsyncIterable<Document>, chars: number): Promise<ImportEntry[]> {
  const page: ImportEntry[] = [];
  let total = 0;
  for await (const document of documents) {
    const size = measureEntryBody(document.body);
    total += size <= MAX_BODY ? size : 0;
    if (page.length > 0 && total > chars) break;
    page.push(withoutLargeEntryBody(document));
  }
  return page;
}

const measureEntryBody = (body: unknown): number => (typeof body === 'string' ? body.length : 0);

const withoutLargeEntryBody = (document: Document): ImportEntry =>
  toRecord(measureEntryBody(document.body) <= MAX_BODY ? document : { ...document, body: '{}' });

const withoutEntryBody = (document: Document): ImportEntry => toRecord({ ...document, body: null });
