import { join } from 'node:path';
import { Eta } from 'eta';
import { projectRoot } from '../project-root.ts';

/** The templates of a folder, compiled once each. */
export const readViews = (folder: string): Eta => new Eta({ views: folder, cache: true });

/** Those of `views/`, for every face that shows pages. */
export const views = readViews(join(projectRoot, 'views'));

/** A text as part of HTML, as the templates write it. */
export const escapeHtml = (text: string): string => views.config.escapeFunction(text);
