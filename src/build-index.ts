/** Last step of `npm run build`: indexes the starter catalogue, so that the first start loads it as
 *  every later one does. */
import { join } from 'node:path';
import { buildStarterIndex } from './adapters/local/versions/prepare-index.ts';
import { projectRoot } from './project-root.ts';

buildStarterIndex(join(projectRoot, 'data'));
