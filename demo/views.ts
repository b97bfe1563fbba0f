import { join } from 'node:path';
import { readViewAssets, readViews } from '#faces/views';
import { projectRoot } from '#project-root';

/** Of the demo's templates and texts. */
export const viewsFolder = join(projectRoot, 'demo', 'views');

/** Scripts and style sheets of the demo's pages. */
export const assets = readViewAssets(join(projectRoot, 'dist', 'demo', 'assets'), '/demo/assets');

export const views = readViews(viewsFolder, assets);
