/** The thread that opens and reads one source; see `import-sources.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { createImportSources } from '#adapters/catalog/open-import-source';
import { createOutbound } from '#adapters/remote/outbound';
import { showWebAddress } from '#domain/web-address';
import type { ImportItem, ImportSource } from '#ports/imports';
import { type NextItem, type SourceMessage, type SourceTask, toThreadError } from './import-sources.ts';

const { request, outbound, aliveMs } = workerData as SourceTask;

const send = (message: SourceMessage) => parentPort?.postMessage(message);
// Sent once the modules are loaded, which takes its time as well.
send({ kind: 'alive' });
setInterval(() => send({ kind: 'alive' }), aliveMs);

const calls = createOutbound(outbound);
const sources = createImportSources({
  outbound: {
    request(url, options) {
      send({ kind: 'at', place: showWebAddress(url) });
      return calls.request(url, options);
    },
  },
});

try {
  const source = await sources.open(request);
  const { read: _read, close: _close, ...facts } = source;
  send({ kind: 'opened', facts });
  let items = read(source, null);
  parentPort?.on('message', async (next: NextItem) => {
    if (next !== 'next') items = read(source, next.after);
    await items.next().then(
      ({ done, value }) => send(done ? { kind: 'end', covers: source.covers } : { kind: 'item', item: value }),
      (error: unknown) => send({ kind: 'failed', error: toThreadError(error) }),
    );
  });
} catch (error) {
  send({ kind: 'failed', error: toThreadError(error) });
}

/** Limits of one message: parts and rejected rows, and characters of its parts. The thread that
 *  answers requests reads a message in one go. */
const SLICE = 200;
const SLICE_CHARS = 500_000;

/** Reading is never aborted: the thread is ended instead. */
async function* read(source: ImportSource, after: string | null): AsyncGenerator<ImportItem> {
  for await (const item of source.read({ after, signal: new AbortController().signal })) {
    let last: Slice | null = null;
    for (const slice of cutIntoSlices(item)) {
      if (last !== null) yield { position: null, done: 0, rows: 0, ...last };
      last = slice;
    }
    yield { ...item, ...last };
  }
}

type Slice = Pick<ImportItem, 'parts' | 'rejected'>;

function* cutIntoSlices({ parts, rejected }: ImportItem): Generator<Slice> {
  let [start, chars] = [0, 0];
  for (let end = 0; end < Math.max(parts.length, rejected.length); end++) {
    const more = JSON.stringify(parts[end]?.body ?? null).length;
    if (end > start && (end - start === SLICE || chars + more > SLICE_CHARS)) {
      yield { parts: parts.slice(start, end), rejected: rejected.slice(start, end) };
      [start, chars] = [end, 0];
    }
    chars += more;
  }
  yield { parts: parts.slice(start), rejected: rejected.slice(start) };
}
