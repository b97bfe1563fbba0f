import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportItem, ImportRequest, ImportSources } from '../../src/ports/imports.ts';
import { startWebSite } from '../fakes/web-site.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import type { Hostile } from './hostile-files.ts';

/** Puts it where it can be read: on a site of this machine, or in a file. */
export async function placeHostile(
  { content, file, format }: Hostile,
  size: number,
): Promise<{ readonly request: ImportRequest; close(): Promise<void> }> {
  const all = content(size);
  if (file !== undefined) {
    const location = join(makeTempDir(), file);
    writeFileSync(location, all['/']!);
    return { request: { format, location, langs: [] }, close: async () => undefined };
  }
  const site = await startWebSite();
  for (const [path, body] of Object.entries(all)) {
    const bytes = typeof body === 'string' ? body.replaceAll('ORIGIN', site.origin) : body;
    site.put(path === '/' ? '/entry' : path, (_request, response) => void response.end(bytes));
  }
  // A repository is asked by its query.
  site.put('/entry?', (_request, response) => void response.end(all['/']));
  return { request: { format, location: `${site.origin}/entry`, langs: [] }, close: () => site.close() };
}

export async function readAllItems(sources: ImportSources, request: ImportRequest): Promise<ImportItem[]> {
  const source = await sources.open(request);
  const items: ImportItem[] = [];
  const { signal } = new AbortController();
  for await (const item of source.read({ after: null, signal })) items.push(item);
  return items;
}
