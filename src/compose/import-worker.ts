import { createImportSources } from '#adapters/catalog/open-import-source';
import { limitThisProcess } from '#adapters/processes/this-process';
import { createOutbound } from '#adapters/remote/outbound';
import { showWebAddress } from '#domain/web-address';
import type { ImportItem, ImportSource } from '#ports/imports';
import { type NextItems, type SourceMessage, type SourceTask, toProcessError } from './import-sources.ts';

limitThisProcess();
const sendWorkerMessage = (message: SourceMessage) => process.send?.(message);
process.once('message', (task: SourceTask) => void runSourceTask(task));

async function runSourceTask({ request, outbound, aliveMs }: SourceTask): Promise<void> {
  // The first message says that the modules are loaded, which takes a while.
  sendWorkerMessage({ kind: 'alive' });
  setInterval(() => sendWorkerMessage({ kind: 'alive' }), aliveMs);
  const calls = createOutbound(outbound);
  const sources = createImportSources({
    outbound: {
      request(url, options) {
        sendWorkerMessage({ kind: 'at', place: showWebAddress(url) });
        return calls.request(url, options);
      },
    },
  });
  try {
    const source = await sources.open(request);
    const { read: _read, close: _close, ...facts } = source;
    sendWorkerMessage({ kind: 'opened', facts });
    let messages = readItemBatches(source, null);
    process.on('message', async (next: NextItems) => {
      if (next !== 'next') messages = readItemBatches(source, next.after);
      await messages.next().then(
        ({ done, value }) =>
          sendWorkerMessage(done ? { kind: 'end', covers: source.covers } : { kind: 'items', items: value }),
        (error: unknown) => sendWorkerMessage({ kind: 'failed', error: toProcessError(error) }),
      );
    });
  } catch (error) {
    sendWorkerMessage({ kind: 'failed', error: toProcessError(error) });
  }
}

/** Items that come faster than this are sent together. */
const GATHER_MS = 50;

/** Yields items in batches. Reading is never aborted, as the process is ended instead. */
async function* readItemBatches(source: ImportSource, after: string | null): AsyncGenerator<readonly ImportItem[]> {
  let items: ImportItem[] = [];
  let [size, chars, begunAt] = [0, 0, performance.now()];
  try {
    for await (const item of source.read({ after, signal: new AbortController().signal }))
      for (const slice of cutIntoSlices(item)) {
        if (items.length > 0 && (size + slice.size > SLICE || chars + slice.chars > SLICE_CHARS)) {
          yield items;
          [items, size, chars, begunAt] = [[], 0, 0, performance.now()];
        }
        items.push(slice.item);
        [size, chars] = [size + slice.size, chars + slice.chars];
        if (performance.now() - begunAt < GATHER_MS) continue;
        yield items;
        [items, size, chars, begunAt] = [[], 0, 0, performance.now()];
      }
  } catch (error) {
    if (items.length > 0) yield items;
    throw error;
  }
  if (items.length > 0) yield items;
}

/** Limits of one message, which blocks the thread that answers requests. */
const SLICE = 200;
const SLICE_CHARS = 500_000;

interface Slice {
  readonly item: ImportItem;
  /** At least 1. */
  readonly size: number;
  readonly chars: number;
}

/** Cuts an item into slices within the limits of a message; only the last one has its position. */
function* cutIntoSlices(item: ImportItem): Generator<Slice> {
  const { parts, rejected } = item;
  let [start, chars] = [0, 0];
  const slice = (end?: number) => ({ parts: parts.slice(start, end), rejected: rejected.slice(start, end) });
  const count = Math.max(parts.length, rejected.length);
  for (let end = 0; end < count; end++) {
    const more = JSON.stringify([parts[end]?.body, rejected[end]]).length;
    if (end > start && (end - start === SLICE || chars + more > SLICE_CHARS)) {
      yield { item: { position: null, done: 0, rows: 0, ...slice(end) }, size: end - start, chars };
      [start, chars] = [end, 0];
    }
    chars += more;
  }
  yield { item: start === 0 ? item : { ...item, ...slice() }, size: Math.max(1, count - start), chars };
}
