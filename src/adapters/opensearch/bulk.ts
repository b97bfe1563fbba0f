import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenSearch } from './client.ts';
import { createCatalogError, isSilence } from './explain.ts';

export interface BulkOptions {
  readonly index: string;
  /** File with two lines for each document. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Of a request; 4 MB when absent. */
  readonly maxBytes?: number;
}

/** An action and its document. */
type Pair = readonly [action: string, document: string];

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly {
    readonly index: {
      readonly status: number;
      readonly error?: { readonly type: string; readonly reason: string };
    };
  }[];
}

const MAX_BYTES = 4 * 2 ** 20;
/** Requests under way: the next is read while one is answered. */
const AT_ONCE = 2;
const BULK_MS = 60_000;
const MAX_TRIES = 8;
const PAUSE_MS = 250;
const TOO_MANY = 429;

/** Sends all documents of a file. What is refused because there is too much to do, or is not answered, is sent again: a document
 *  has its id, so nothing is there twice. Errors: CATALOG_UNAVAILABLE, those of reading, the signal's reason. */
export async function sendDocuments(client: OpenSearch, options: BulkOptions): Promise<void> {
  const { signal, maxBytes = MAX_BYTES } = options;
  const underWay = new Set<Promise<void>>();
  let pairs: Pair[] = [];
  let bytes = 0;
  const send = async () => {
    if (underWay.size >= AT_ONCE) await Promise.race(underWay);
    const sent = sendPairs(client, pairs, options).finally(() => underWay.delete(sent));
    // Whoever waits for it next is told.
    sent.catch(() => undefined);
    underWay.add(sent);
    pairs = [];
    bytes = 0;
  };
  for await (const pair of readPairs(options.path, signal)) {
    pairs.push(pair);
    bytes += pair[0].length + pair[1].length;
    if (bytes >= maxBytes) await send();
  }
  if (pairs.length > 0) await send();
  await Promise.all(underWay);
}

async function* readPairs(path: string, signal: AbortSignal): AsyncGenerator<Pair> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let action: string | undefined;
  for await (const line of lines) {
    signal.throwIfAborted();
    if (action === undefined) action = line;
    else {
      yield [action, line];
      action = undefined;
    }
  }
}

async function sendPairs(client: OpenSearch, given: readonly Pair[], options: BulkOptions): Promise<void> {
  let pairs = given;
  for (let tries = 1; ; tries++) {
    const left = await trySend(client, pairs, options).catch((error: unknown) => {
      if (tries >= MAX_TRIES || !isSilence(error)) throw error;
      return pairs;
    });
    if (left.length === 0) return;
    if (tries >= MAX_TRIES)
      throw createCatalogError(
        'busy',
        `The catalogue took ${left.length} documents after ${tries} tries not yet.`,
      );
    pairs = left;
    await sleep(PAUSE_MS * 2 ** tries, undefined, { signal: options.signal });
  }
}

/** @returns those that are to be sent again */
async function trySend(
  client: OpenSearch,
  pairs: readonly Pair[],
  { index, signal }: BulkOptions,
): Promise<readonly Pair[]> {
  const answer = await client.ask<BulkAnswer>({
    ...{ method: 'POST', path: `/${index}/_bulk`, signal, timeoutMs: BULK_MS },
    query: { filter_path: 'errors,items.*.status,items.*.error.type,items.*.error.reason' },
    body: `${pairs.map((pair) => pair.join('\n')).join('\n')}\n`,
  });
  if (!answer.errors) return [];
  const refused = answer.items.find(({ index: { status } }) => status >= 300 && status !== TOO_MANY);
  if (refused !== undefined) {
    const { type = '', reason = '' } = refused.index.error ?? {};
    throw createCatalogError(
      'failed',
      'The catalogue refused a document. The log says why.',
      new Error(`${type}: ${reason}`),
    );
  }
  return pairs.filter((_, i) => answer.items[i]?.index.status === TOO_MANY);
}
