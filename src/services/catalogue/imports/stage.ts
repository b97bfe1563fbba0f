import { createHash } from 'node:crypto';
import type { CatalogPart } from '#domain/catalog';
import type { EntryPart, ImportEntry, ImportRepository } from '#ports/store/store';
import { letOthersRun, PAGE, writeEntryPart } from './entry-order.ts';

/** Where the entries of a running import go, and what they are compared with. */
export interface Staging {
  readonly dataset: string;
  readonly importNumber: number;
  /** Numbers of the imports of the dataset that count. */
  readonly live: ReadonlySet<number>;
  readonly base: Pick<ImportRepository, 'findEntries'>;
  readonly target: Pick<ImportRepository, 'putEntries' | 'findEntries'>;
}

/** Writes what the source says as entries of the import: the body where it differs from what counts, else that it was seen. Of a
 *  part that comes twice the last one stays, so that repeating it after a kill changes nothing. */
export async function stageParts(staging: Staging, parts: readonly CatalogPart[]): Promise<void> {
  for (let start = 0; start < parts.length; start += PAGE) {
    await stageBatch(staging, parts.slice(start, start + PAGE));
  }
}

async function stageBatch(staging: Staging, parts: readonly CatalogPart[]): Promise<void> {
  const unique = new Map(parts.map((part) => [writeEntryPart(part), part]));
  const known = await findKnown(staging, [...unique.values()]);
  await letOthersRun();
  const entries = [...unique].map(([text, part]) => toEntry(staging, part, known.get(text)));
  await letOthersRun();
  await staging.target.putEntries(entries);
  await letOthersRun();
}

/** Keeps parts whose rows cannot be used as they are, where they count now and nothing else is said of them. */
export async function stageKeptParts(staging: Staging, parts: readonly EntryPart[]): Promise<void> {
  const { dataset, importNumber, target } = staging;
  for (let start = 0; start < parts.length; start += PAGE) {
    const unique = new Map(parts.slice(start, start + PAGE).map((part) => [writeEntryPart(part), part]));
    const known = await findKnown(staging, [...unique.values()]);
    for (const own of await target.findEntries(dataset, [...unique.values()]))
      if (own.importNumber === importNumber && own.state !== 'removed') unique.delete(writeEntryPart(own));
    // A removed part has no hash.
    const kept = [...unique].filter(([text]) => (known.get(text) ?? '') !== '');
    await target.putEntries(kept.map(([, part]) => toSeen(staging, part)));
    await letOthersRun();
  }
}

/** Hashes of the bodies that count now. */
async function findKnown({ dataset, live, base }: Staging, parts: readonly EntryPart[]) {
  const known = new Map<string, string>();
  if (live.size === 0) return known;
  const found = new Map<string, ImportEntry>();
  for (const entry of await base.findEntries(dataset, parts)) {
    const text = writeEntryPart(entry);
    const newer = found.get(text);
    if (live.has(entry.importNumber) && (newer === undefined || newer.importNumber < entry.importNumber))
      found.set(text, entry);
  }
  for (const [text, { hash }] of found) known.set(text, hash);
  return known;
}

function toEntry(
  staging: Staging,
  { kind, key, part, body }: CatalogPart,
  known: string | undefined,
): ImportEntry {
  const { dataset, importNumber } = staging;
  const hash = hashOf(body);
  if (hash === known) return toSeen(staging, { kind, key, part });
  return { kind, key, dataset, part, importNumber, state: 'put', hash, body };
}

function toSeen({ dataset, importNumber }: Staging, { kind, key, part }: EntryPart): ImportEntry {
  return { kind, key, dataset, part, importNumber, state: 'seen', hash: '', body: null };
}

function hashOf(body: CatalogPart['body']): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url');
}
