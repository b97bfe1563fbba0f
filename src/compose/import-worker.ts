/** The thread that opens and reads one source; see import-sources.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { createImportSources } from '../adapters/catalog/open-import-source.ts';
import { createOutbound } from '../adapters/remote/outbound.ts';
import type { ImportItem, ImportSource } from '../ports/imports.ts';
import { type NextItem, type SourceMessage, type SourceTask, tellError } from './import-sources.ts';

const { request, outbound, aliveMs } = workerData as SourceTask;

const tell = (message: SourceMessage) => parentPort?.postMessage(message);
setInterval(() => tell({ kind: 'alive' }), aliveMs);

const calls = createOutbound(outbound);
const sources = createImportSources({
  outbound: {
    request(url, options) {
      tell({ kind: 'at', place: url });
      return calls.request(url, options);
    },
  },
});

try {
  const source = await sources.open(request);
  const { read: _read, ...facts } = source;
  tell({ kind: 'opened', facts });
  let items: AsyncIterator<ImportItem> | null = null;
  parentPort?.on('message', async ({ after }: NextItem) => {
    items ??= read(source, after);
    await items.next().then(
      ({ done, value }) =>
        tell(done ? { kind: 'end', covers: source.covers } : { kind: 'item', item: value }),
      (error: unknown) => tell({ kind: 'failed', error: tellError(error) }),
    );
  });
} catch (error) {
  tell({ kind: 'failed', error: tellError(error) });
}

/** It is never asked to stop: its thread is ended. */
function read(source: ImportSource, after: string | null): AsyncIterator<ImportItem> {
  return source.read({ after, signal: new AbortController().signal })[Symbol.asyncIterator]();
}
