import { join } from 'node:path';
import { readAssets } from '../src/faces/assets.ts';
import { readViews } from '../src/faces/views.ts';
import { projectRoot } from '../src/project-root.ts';

/** Of the demo's templates and texts. */
export const viewsFolder = join(projectRoot, 'demo', 'views');

/** Scripts and style sheets of the demo's pages. */
export const assets = readAssets(join(projectRoot, 'dist', 'demo', 'assets'), '/demo/assets');

export const views = readViews(viewsFolder, assets);
