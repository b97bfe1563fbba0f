import { join } from 'node:path';
import { projectRoot } from '../project-root.ts';

/** Folder of the starter catalogue, which comes with the program. */
export const catalogDir = join(projectRoot, 'data');
