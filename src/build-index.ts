/** Last step of `npm run build`: indexes the starter catalogue, so that the first start loads it as every later one does. */
import { join } from 'node:path';
import { writeBuiltVersion } from './adapters/local/open-first-version.ts';
import { projectRoot } from './project-root.ts';

writeBuiltVersion(join(projectRoot, 'data'));
