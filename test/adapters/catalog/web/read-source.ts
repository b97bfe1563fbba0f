import { onTestFinished } from 'vitest';
import { openWebSource, type WebSourceDeps } from '../../../../src/adapters/catalog/web/web.ts';
import { createOutbound } from '../../../../src/adapters/remote/outbound.ts';
import type { CatalogPart, ImportFormat } from '../../../../src/domain/catalog.ts';
import { noPrivateAccess } from '../../../../src/domain/private-hosts.ts';
import type { ImportItem, ImportRequest, ImportSource } from '../../../../src/ports/imports.ts';
import { startWebSite, type WebSite } from '../../../fakes/web-site.ts';

export async function openSite(): Promise<WebSite> {
  const site = await startWebSite();
  onTestFinished(() => site.close());
  return site;
}

export async function openSource(
  request: Partial<ImportRequest> & { readonly format: ImportFormat; readonly location: string },
  deps: Partial<WebSourceDeps> = {},
): Promise<ImportSource> {
  const outbound = createOutbound({
    allowLoopback: true,
    privateAccess: noPrivateAccess,
    allowHttp: true,
    version: '1',
  });
  onTestFinished(() => outbound.close());
  return openWebSource({ langs: [], ...request }, { outbound, pauseMs: 0, retryMs: 1, ...deps });
}

/** All items, or the first so many. */
export async function readItems(
  source: ImportSource,
  { after = null, most = Number.POSITIVE_INFINITY }: { after?: string | null; most?: number } = {},
): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  for await (const item of source.read({ after, signal: new AbortController().signal })) {
    items.push(item);
    if (items.length >= most) break;
  }
  return items;
}

const partsOf = (items: readonly ImportItem[], kind: CatalogPart['kind']) =>
  items.flatMap(({ parts }) => parts).filter((part) => part.kind === kind);

export const objectsOf = (items: readonly ImportItem[]) => partsOf(items, 'object').map(({ body }) => body);
export const providersOf = (items: readonly ImportItem[]) => partsOf(items, 'provider').map(({ body }) => body);
export const rejectedOf = (items: readonly ImportItem[]) => items.flatMap(({ rejected }) => rejected);
