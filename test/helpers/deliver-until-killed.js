// A host as far as feedback goes: gives its share to the tenant, says of each one on standard output when it was acknowledged,
// and delivers what is due, until it is killed. Run by test/outbox-torture.test.ts; the built program is used, as on a real host.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUpstreams } from '../../dist/src/adapters/remote/upstreams.js';
import { openStoreAt } from '../../dist/src/compose/open-store.js';
import { createServices } from '../../dist/src/compose/services.js';
import { systemClock } from '../../dist/src/ports/clock.js';

const { address, secret, tenantId, numbers, callMs, timing } = JSON.parse(process.argv[2]);
const store = await openStoreAt(address, { mustExist: true });
const services = createServices({
  store,
  secretKeys: { isInFile: false, read: () => [secret] },
  local: {},
  providerOf: () => null,
  upstreams: createUpstreams({
    privateAccess: { hosts: [{ host: '127.0.0.1', port: null }], isOpenToOwners: false },
    timeoutMs: callMs,
    attemptTimeoutMs: callMs,
    // A pause is rounded up to a second; with half of all calls failing, five in a row would stop a host most of the time.
    policies: { pauseMs: 20, maxFailures: 8 },
  }),
  demoKey: 'demo',
  clock: systemClock,
  publicUrl: 'https://skills.example.org',
  feedbackTiming: timing,
  makeKeyPair: () => Promise.reject(new Error('Nothing is registered here.')),
  onProblem: (error) => process.stderr.write(`${error}\n`),
});

// As a host that listens does not end by itself.
setInterval(() => {}, 60_000);
services.feedbackOutbox.start();
writeSync(1, 'ready .\n');
for (const number of numbers) {
  const feedback = {
    url: `https://example.org/objects/${number}`,
    comment: `${number}`,
    requestId: 'request-1',
    email: 'ada@example.org',
    source: 'https://school.example.org',
  };
  await services.feedback.giveFeedback(tenantId, feedback, {
    role: 'program',
    idempotencyKey: `feedback ${number}`,
  });
  // The point shows that the line is whole.
  writeSync(1, `given ${number} .\n`);
  // The embedded store answers at once; without a pause nothing would be delivered meanwhile.
  await sleep(2);
}
