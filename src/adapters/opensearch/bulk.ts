import { createReadStream } from 'node:fs';
import { type OpenSearch, repeatUntilAnswered } from './client.ts';
import { createCatalogError } from './errors.ts';

interface BulkOptions {
  readonly index: string;
  readonly path: string;
  readonly signal: AbortSignal;
  /** Limit of a request; 4 MB by default. */
  readonly maxBytes?: number;
}

type Pair = readonly [action: string, document: string];

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly { readonly index: { readonly status: number; readonly error?: BulkError } }[];
}

type BulkError = Readonly<Record<'type' | 'reason', string>>;
const MAX_BYTES = 4 * 2 ** 20;
/** Simultaneous requests: documents are read while one is answered. */
const MAX_REQUESTS = 2;
const BULK_MS = 60_000;
/** Less than the time of a request, so that a node reports failed documents before that ends. */
const NODE_TIMEOUT = '30s';
/** Statuses of documents to send again: of a busy node, or a shard that is not available yet. */
const RETRIED_STATUS: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Sends the documents of a file, again if there is no answer or a node is busy; ids keep them
 *  unique. Errors: CATALOG_UNAVAILABLE, those of reading, the reason of the signal. */
export async function sendDocuments(client: OpenSearch, options: BulkOptions): Promise<void> {
  const { maxBytes = MAX_BYTES } = options;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const underWay = new Set<Promise<void>>();
  let pairs: Pair[] = [];
  let bytes = 0;
  const sendBulk = async () => {
    if (underWay.size >= MAX_REQUESTS) await Promise.race(underWay);
    signal.throwIfAborted();
    const sent = sendBulkPairs(client, pairs, { ...options, signal })
      .catch((error: unknown) => failed.abort(error))
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
    pairs = [];
    bytes = 0;
  };
  try {
    for await (const pair of readBulkPairs(options.path)) {
      pairs.push(pair);
      bytes += pair[0].length + pair[1].length;
      if (bytes >= maxBytes) await sendBulk();
    }
    if (pairs.length > 0) await sendBulk();
    await Promise.all(underWay);
    signal.throwIfAborted();
  } finally {
    // All requests have ended when this function returns.
    failed.abort();
    await Promise.all(underWay);
  }
}

/** Reads pairs of lines, which end with a line feed: texts may contain other line separators. */
async function* readBulkPairs(path: string): AsyncGenerator<Pair> {
  let unfinished = '';
  let action = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = `${unfinished}${chunk}`.split('\n');
    unfinished = lines.pop() ?? '';
    for (const line of lines) {
      if (action !== '') yield [action, line];
      action = action === '' ? line : '';
    }
  }
}

async function sendBulkPairs(client: OpenSearch, pairs: readonly Pair[], options: BulkOptions): Promise<void> {
  let unsent = pairs;
  await repeatUntilAnswered(async () => {
    unsent = await sendBulkOnce(client, unsent, options);
    if (unsent.length > 0) throw createCatalogError('busy', `The catalogue has not taken ${unsent.length} documents.`);
  }, options.signal);
}

/** Returns the pairs that must be sent again. */
async function sendBulkOnce(
  client: OpenSearch,
  pairs: readonly Pair[],
  { index, signal }: BulkOptions,
): Promise<readonly Pair[]> {
  const answer = await client.ask<BulkAnswer>({
    method: 'POST',
    path: `/${index}/_bulk`,
    signal,
    timeoutMs: BULK_MS,
    isBackground: true,
    query: {
      filter_path: 'errors,items.*.status,items.*.error.type,items.*.error.reason',
      timeout: NODE_TIMEOUT,
      // Without this, an index that was removed meanwhile would be created again without mappings.
      require_alias: true,
    },
    body: `${pairs.map((pair) => pair.join('\n')).join('\n')}\n`,
  });
  if (!answer.errors) return [];
  const refused = answer.items.find(({ index: { status } }) => status >= 300 && !RETRIED_STATUS.has(status));
  if (refused !== undefined) {
    const { type = '', reason = '' } = refused.index.error ?? {};
    const cause = new Error(`${type}: ${reason}`);
    throw createCatalogError('failed', `The catalogue refused a document (${type}). The log says why.`, cause);
  }
  return pairs.filter((_, i) => RETRIED_STATUS.has(answer.items[i]?.index.status ?? 0));
}
