import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { HomeFaceDeps } from './deps.ts';
import { allowPlayers } from './look.ts';
import type { Reader } from './page-model.ts';

/** A page that is the same for everybody with one language, and what it was made from. */
interface PreparedPage {
  readonly madeFrom: string;
  /** In milliseconds. */
  readonly madeAt: number;
  readonly body: Promise<Buffer>;
  /** The same, made when they are first asked for. */
  readonly compressed: Map<Encoding, Promise<Buffer>>;
}

type Encoding = 'br' | 'gzip';

/** A page as its template renders it, and whether all of it could be read. */
export interface RenderedPage {
  readonly html: string;
  readonly isWhole: boolean;
}

/** Sends a page, rendered at most once for each language and state of what it shows.
 *  @param render is told of no reader who leaves, as others wait for the same page */
export type SendPrepared = (
  request: Request,
  response: Response,
  reader: Reader,
  render: (reader: Reader) => Promise<RenderedPage>,
) => Promise<void>;

/** Pictures that failed are tried again by a page that is rendered. */
const MAX_AGE_MS = 10 * 60_000;
const LISTS_MS = 1_500;
const neverAborted = new AbortController().signal;

/** The front page and the overview of the catalogue cost tens of milliseconds to render and
 *  compress, and anybody may ask for them as often as they like. */
export function createPreparedPages(deps: HomeFaceDeps): SendPrepared {
  /** Two pages, in each language, for administrators and others. */
  const pages = new Map<string, PreparedPage>();
  const now = () => deps.clock.now().getTime();

  function prepare(key: string, madeFrom: string, page: Promise<RenderedPage>): PreparedPage {
    const body = page.then(({ html }) => Buffer.from(html));
    const prepared: PreparedPage = { madeFrom, madeAt: now(), body, compressed: new Map() };
    pages.set(key, prepared);
    const forget = () => {
      if (pages.get(key) === prepared) pages.delete(key);
    };
    // The caller awaits the same page, and gets its error.
    page.then(({ isWhole }) => (isWhole ? undefined : forget()), forget);
    return prepared;
  }

  return async (request, response, reader, render) => {
    const isAdmin = await reader.isAdministrator();
    const key = JSON.stringify([request.path, reader.locale, isAdmin]);
    const madeFrom = await readSources(deps, reader);
    const existing = pages.get(key);
    const isFresh = existing?.madeFrom === madeFrom && Math.abs(now() - existing.madeAt) < MAX_AGE_MS;
    const prepared = isFresh ? existing : prepare(key, madeFrom, render({ ...reader, signal: neverAborted }));
    const encoding = (['br', 'gzip'] as const).find((name) => request.acceptsEncodings(name) === name);
    const body = await (encoding === undefined ? prepared.body : compress(prepared, encoding));
    allowPlayers(response);
    if (encoding !== undefined) response.set('Content-Encoding', encoding);
    response.vary('Accept-Encoding');
    // The browser revalidates the page each time: the catalogue may have changed.
    response.type('html').set('Cache-Control', 'no-cache').send(body);
  };
}

const compressors = {
  gzip: promisify(gzip),
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};

function compress({ body, compressed }: PreparedPage, encoding: Encoding): Promise<Buffer> {
  const existing = compressed.get(encoding);
  if (existing !== undefined) return existing;
  const bytes = body.then(compressors[encoding]);
  compressed.set(encoding, bytes);
  return bytes;
}

/** Everything that such a page is made from and that may change while the host runs. */
async function readSources(deps: HomeFaceDeps, reader: Reader): Promise<string> {
  const { discovery, browsing, faces, sizes, catalogVersion, pictures } = deps;
  const sources = await Promise.all([
    catalogVersion(),
    discovery.lists({ signal: reader.signal, timeoutMs: LISTS_MS }),
    browsing.listUsed('most'),
    browsing.listUsed('newest'),
    faces(),
    sizes(),
  ]);
  return JSON.stringify([...sources, pictures.linksVersion()]);
}
