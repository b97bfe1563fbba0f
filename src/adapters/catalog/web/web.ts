import { AppError } from '#errors';
import type { ImportRequest, ImportSource } from '#ports/imports';
import type { Outbound } from '#ports/outbound';
import { openFeedSource } from './feed/feed.ts';
import { createFetcher, type FetcherOptions, type WebContext } from './fetcher.ts';
import { isWebLocation } from './location.ts';
import { openLrmiSource } from './lrmi/lrmi.ts';
import { openOaiSource } from './oai/oai.ts';
import { openPageSource } from './page.ts';

export interface WebSourceDeps extends FetcherOptions {
  readonly outbound: Outbound;
  /** The pause between two pages of a site; half a second by default. */
  readonly pauseMs?: number;
  /** Maximum number of pages of a site; 10,000 by default. */
  readonly maxPages?: number;
}

/** Opens a source on the web, or a file in one of its formats. Errors: IMPORT_INVALID. */
export async function openWebSource(request: ImportRequest, deps: WebSourceDeps): Promise<ImportSource> {
  const { pauseMs = 500, maxPages = 10_000 } = deps;
  checkWebLocation(request);
  const { location } = request;
  const isOfOwner = request.page?.isByOwner ?? true;
  const fetch = createFetcher({
    ...deps,
    ...(isOfOwner && isWebLocation(location) && { ownersOrigin: new URL(location).origin }),
    // A person waits for a single page.
    ...(request.page !== undefined && { maxWaitSeconds: 2 }),
    isPublicOnly: !isOfOwner,
  });
  const context: WebContext = { fetch, pauseMs, maxPages };
  if (request.page !== undefined) return openPageSource(request, context);
  switch (request.format) {
    case 'feed':
      return openFeedSource(request, context);
    case 'oai':
      return openOaiSource(request, context);
    case 'lrmi':
      return openLrmiSource(request, context);
    default:
      throw new AppError('IMPORT_INVALID', `${request.format} is not read from the web. Name a file.`);
  }
}

function checkWebLocation({ format, location, page }: ImportRequest): void {
  const isWeb = isWebLocation(location);
  if (isWeb && !URL.canParse(location))
    throw new AppError('IMPORT_INVALID', 'This address cannot be read. Copy it from a browser.');
  if (!isWeb && page !== undefined)
    throw new AppError('IMPORT_INVALID', 'Enter the address of a page, which begins with https.');
  if (!isWeb && format === 'oai')
    throw new AppError('IMPORT_INVALID', 'A repository is read from its address. Enter one that begins with https.');
}
