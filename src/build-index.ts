/** Last step of `npm run build`: indexes the starter catalogue. */
import { join } from 'node:path';
import { buildStarterIndex } from './adapters/local/versions/prepare-index.ts';
import { projectRoot } from './project-root.ts';

buildStarterIndex(join(projectRoot, 'data'));
