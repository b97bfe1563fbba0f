import { join } from 'node:path';
import { Eta } from 'eta';
import { projectRoot } from '#project-root';
import { type Assets, assets } from './assets.ts';
import { localeNames } from './words/i18n.ts';

/** The templates of a folder, compiled once each. In them, `asset('home/home.js')` is the address
 *  of a script or style sheet, and `localeNames` are the languages of the pages. */
export const readViews = (folder: string, { addressOf }: Assets): Eta =>
  Object.assign(new Eta({ views: folder, cache: true, functionHeader: 'const { asset, localeNames } = this;' }), {
    asset: addressOf,
    localeNames,
  });

/** Those of `views/`, for every face that shows pages. */
export const views = readViews(join(projectRoot, 'views'), assets);

/** A text as part of HTML, as the templates write it. */
export const escapeHtml = (text: string): string => views.config.escapeFunction(text);
