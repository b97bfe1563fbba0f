import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import express, { type RequestHandler } from 'express';
import { projectRoot } from '#project-root';
import { drawCover } from './object-view/cover.ts';
import { localeNames } from './words/i18n.ts';

/** Scripts and style sheets of pages, as `build-assets.ts` wrote them. */
export interface Assets {
  /** Address of a file, which changes with its content.
   *  @param name path without the hash, as `home/home.js` */
  addressOf(name: string): string;
  /** Serves the files, to be kept for good. */
  readonly serve: RequestHandler;
}

/** @param folder the files; the names are in a file beside it, with `.json` at its end
 *  @param path where the files are served */
export function readAssets(folder: string, path: string): Assets {
  const list = `${folder}.json`;
  const names: Readonly<Record<string, string>> = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
  return {
    addressOf(name) {
      const file = names[name];
      if (file === undefined) throw new Error(`${list} does not list ${name}. Run "npm run build".`);
      return `${path}/${file}`;
    },
    serve: express.static(folder, {
      index: false,
      redirect: false,
      immutable: true,
      maxAge: '1y',
    }),
  };
}

/** Of every page of this host. */
export const assets = readAssets(join(projectRoot, 'dist', 'assets'), '/assets');

/** A drawing of `views/assets/icons.svg`, in the colour and size of its text; assistive technology
 *  passes over it. */
export const drawIcon = (name: string): string =>
  `<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><use href="/assets/icons.svg#${name}"></use></svg>`;

/** The templates of a folder, compiled once each. In them, `asset('home/home.js')` is the address
 *  of a script or style sheet, `<%~ icon('search') %>` and `<%~ cover(view) %>` draw, and
 *  `localeNames` are the languages of the pages. */
export const readViews = (folder: string, { addressOf }: Assets): Eta =>
  Object.assign(
    new Eta({ views: folder, cache: true, functionHeader: 'const { asset, cover, icon, localeNames } = this;' }),
    {
      asset: addressOf,
      cover: drawCover,
      icon: drawIcon,
      localeNames,
    },
  );

/** Those of `views/`, for every face that shows pages. */
export const views = readViews(join(projectRoot, 'views'), assets);

/** A text as part of HTML, as the templates write it. */
export const escapeHtml = (text: string): string => views.config.escapeFunction(text);
