/** Last step of `npm run build`: indexes the starter catalogue, so that the first start loads it as every later one does. */
import { join } from 'node:path';
import { writeFirstVersion } from './adapters/local/versions/first-version.ts';
import { projectRoot } from './project-root.ts';

writeFirstVersion(join(projectRoot, 'data'));
