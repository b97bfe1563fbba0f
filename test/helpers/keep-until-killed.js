// Keeps vectors in the folder that is given, and says of each batch on standard output when it was kept. Run by
// test/meaning-killed.test.ts, which kills it; the built program is used, as on a real host.
import { writeSync } from 'node:fs';
import { openModelStores } from '../../dist/src/adapters/local/meaning/model-stores.js';
import { lockFile } from '../../dist/src/adapters/store/sqlite/file-lock.js';

const [folder = '', round = ''] = process.argv.slice(2);
const model = { name: 'a model', fingerprint: 'a'.repeat(64), dimensions: 384, langs: null };
const stores = await openModelStores({
  folder,
  model,
  lockFile: (path) => lockFile(path, { isShared: false }),
});

for (let key = Number(round) * 1_000_000; ; key += 16) {
  const keys = Array.from({ length: 16 }, (_, n) => key + n);
  await stores.labels.add(
    keys,
    keys.map((each) => Float32Array.from({ length: 384 }, (_, k) => Math.sin(each * (k + 1)))),
  );
  // The point shows that the line is whole.
  writeSync(1, `${key} .\n`);
}
