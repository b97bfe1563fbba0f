import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ConceptRecord } from '../../../src/adapters/catalog/catalog-schema.ts';
import { mergeConceptParts } from '../../../src/adapters/catalog/concept-parts.ts';
import { createImportSources } from '../../../src/adapters/catalog/open-import-source.ts';
import type { CatalogPart } from '../../../src/domain/catalog.ts';
import type { ImportItem, ImportRequest, ImportSource } from '../../../src/ports/imports.ts';
import type { Outbound } from '../../../src/ports/outbound.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const nobody: Outbound = {
  request() {
    throw new Error('a file is read without calling anybody');
  },
};

/** A folder with these files, whose names may have folders. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = makeTempDir();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export function openSource(
  format: ImportRequest['format'],
  location: string,
  options: Partial<ImportRequest> = {},
): Promise<ImportSource> {
  return createImportSources({ outbound: nobody }).open({ format, location, langs: [], ...options });
}

export async function readAll(source: ImportSource, after: string | null = null): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  for await (const item of source.read({ after, signal: new AbortController().signal })) items.push(item);
  return items;
}

export interface Content {
  readonly concepts: Readonly<Record<string, ConceptRecord>>;
  readonly objects: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly providers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** `place reason`. */
  readonly rejected: readonly string[];
  readonly rows: number;
  /** Names of the parts of each concept. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
}

/** What a source brings, its parts put together. */
export async function contentOf(source: ImportSource): Promise<Content> {
  const items = await readAll(source);
  const all = items.flatMap(({ parts }) => parts);
  const ofKind = (kind: string) => all.filter((part) => part.kind === kind);
  const bodies = (kind: string) => Object.fromEntries(ofKind(kind).map(({ key, body }) => [key, body]));
  const byKey: Record<string, CatalogPart[]> = {};
  for (const part of ofKind('concept')) {
    byKey[part.key] ??= [];
    byKey[part.key]?.push(part);
  }
  const merged = Object.entries(byKey).flatMap(([id, parts]) => {
    const sorted = parts.toSorted((a, b) => (a.part < b.part ? -1 : 1));
    const concept = mergeConceptParts(
      id,
      sorted.map(({ body }) => body),
    );
    return concept === null ? [] : [[id, concept] as const];
  });
  return {
    concepts: Object.fromEntries(merged),
    objects: bodies('object'),
    providers: bodies('provider'),
    rejected: items.flatMap(({ rejected }) => rejected.map(({ place, reason }) => `${place} ${reason}`)),
    rows: items.reduce((sum, { rows }) => sum + rows, 0),
    parts: Object.fromEntries(Object.entries(byKey).map(([id, parts]) => [id, parts.map(({ part }) => part)])),
  };
}

/** What is read after each position; for what is read must be the same wherever it is gone on
 *  from. */
export async function restsOf(source: ImportSource) {
  const whole = await readAll(source);
  const rests = await Promise.all(whole.map(({ position }) => readAll(source, position)));
  return { wanted: whole.map((_, i) => whole.slice(i + 1)), rests };
}
