/** The thread that loads a model and runs it; see encode-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { type ThreadAsked, type ThreadTask, type ThreadTold, tellThreadError } from './encode-thread.ts';
import { type EncodedItem, openModelSession } from './session.ts';

const { folder, threads } = workerData as ThreadTask;

const tell = (told: ThreadTold, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(told, transfer);

try {
  const session = await openModelSession(folder, threads);
  parentPort?.on('message', async ({ id, items }: ThreadAsked) => {
    try {
      const encoded = await session.encode(items);
      tell({ kind: 'encoded', id, encoded }, encoded.flatMap(listBuffers));
    } catch (error) {
      tell({ kind: 'failed', id, error: tellThreadError(error) });
    }
  });
  tell({ kind: 'ready' });
} catch (error) {
  tell({ kind: 'unusable', error: tellThreadError(error) });
  parentPort?.close();
}

/** What is handed over instead of copied. */
function listBuffers({ vector, tokens }: EncodedItem): ArrayBuffer[] {
  const arrays = tokens === undefined ? [vector] : [vector, tokens.vectors, tokens.spans];
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}
