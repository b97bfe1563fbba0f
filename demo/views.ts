import { join } from 'node:path';
import { readViews } from '../src/faces/views.ts';
import { projectRoot } from '../src/project-root.ts';

/** Of the demo's templates, texts and style sheets. */
export const viewsFolder = join(projectRoot, 'demo', 'views');

export const views = readViews(viewsFolder);
