/** Last step of `npm run build`: indexes the starter catalogue, so that the first start loads it as every later one does. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtIndexDir, openIndexes } from './adapters/local/open-local-service.ts';

mkdirSync(builtIndexDir, { recursive: true });
openIndexes({
  catalogDir: fileURLToPath(new URL('../data', import.meta.url)),
  dataDir: builtIndexDir,
  onSnapshotProblem(error) {
    throw error;
  },
});
