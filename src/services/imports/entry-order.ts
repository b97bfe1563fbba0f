import { type CatalogKind, catalogKinds } from '../../domain/catalog.ts';
import type { EntryPart, EntryPlace, ImportEntry, ImportRepository } from '../../ports/store/store.ts';

type Reading = Pick<ImportRepository, 'readEntries'>;

export const PAGE = 1_000;

/** Lets the host answer others between two steps. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** All entries of a dataset in their order, page by page. */
export async function* readDataset(
  from: Reading,
  dataset: string,
  options: { readonly withBodies: boolean; readonly pageSize?: number },
): AsyncGenerator<readonly ImportEntry[], undefined> {
  const { withBodies, pageSize = PAGE } = options;
  let after: EntryPlace | null = null;
  for (;;) {
    const page: readonly ImportEntry[] = await from.readEntries({
      dataset,
      after,
      limit: pageSize,
      withBodies,
    });
    if (page.length > 0) yield page;
    if (page.length < pageSize) return undefined;
    after = page.at(-1)!;
    await breathe();
  }
}

/** The same order as the store's. */
export function compareRecords(
  a: Pick<EntryPart, 'kind' | 'key'>,
  b: Pick<EntryPart, 'kind' | 'key'>,
): number {
  return ordinal(a.kind) - ordinal(b.kind) || compareTexts(a.key, b.key);
}

export function comparePlaces(a: EntryPlace, b: EntryPlace): number {
  return compareRecords(a, b) || compareTexts(a.part, b.part) || a.importNumber - b.importNumber;
}

/** Two parts have the same text only where they are the same. */
export function partText({ kind, key, part }: EntryPart): string {
  return `${ordinal(kind)}${key.length} ${key}${part}`;
}

function ordinal(kind: CatalogKind): number {
  return catalogKinds.indexOf(kind);
}

/** As UTF-8 bytes. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left !== right) return inUtf8(left) - inUtf8(right);
  }
  return a.length - b.length;
}

/** Halves of what lies beyond 16 bits come last, not before U+E000. */
function inUtf8(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}
