/** Last step of `npm run build`: indexes the starter catalogue, so that the first start loads it as every later one does. */
import { fileURLToPath } from 'node:url';
import { writeBuiltIndex } from './adapters/local/open-first-version.ts';

writeBuiltIndex(fileURLToPath(new URL('../data', import.meta.url)));
