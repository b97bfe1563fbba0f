// A thread of its own: what the bench itself is busy with would be counted as waiting.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { required } from '../required.ts';

const port = required(parentPort, 'thread that started this');

for (;;) {
  const begun = performance.now();
  const answer = await fetch(`${workerData}/healthz`).catch((error: Error) => error);
  if (answer instanceof Error) port.postMessage(`${answer.message} (${answer.cause})`);
  else {
    await answer.text();
    port.postMessage(answer.status === 200 ? performance.now() - begun : `answered with ${answer.status}`);
  }
  await sleep(200);
}
