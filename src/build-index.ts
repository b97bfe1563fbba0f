/** Last step of `npm run build`: indexes the starter catalogue, so that the first start loads it as every later one does. */
import { join } from 'node:path';
import { writeBuiltIndex } from './adapters/local/open-first-version.ts';
import { projectRoot } from './project-root.ts';

writeBuiltIndex(join(projectRoot, 'data'));
