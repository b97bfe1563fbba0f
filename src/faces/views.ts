import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import express, { type RequestHandler } from 'express';
import { projectRoot } from '#project-root';
import { drawCover } from './object-view/cover.ts';
import { localeNames } from './words/i18n.ts';

export interface Assets {
  /** Returns an address that changes with the content. @param name as `home/home.js` */
  addressOf(name: string): string;
  /** Serves the files, which browsers may keep for a year. */
  readonly serve: RequestHandler;
}

/** Reads the list of built assets.
 *  @param folder beside it, a `.json` file lists the built files by their names
 *  @param path where the folder is served */
export function readViewAssets(folder: string, path: string): Assets {
  const list = `${folder}.json`;
  const names: Readonly<Record<string, string>> = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
  return {
    addressOf(name) {
      const file = names[name];
      if (file === undefined) throw new Error(`${list} does not list ${name}. Run "npm run build".`);
      return `${path}/${file}`;
    },
    serve: express.static(folder, { index: false, redirect: false, immutable: true, maxAge: '1y' }),
  };
}

export const assets = readViewAssets(join(projectRoot, 'dist', 'assets'), '/assets');

/** Draws a symbol of `views/assets/icons.svg` in the text's colour; screen readers skip it. */
const drawIcon = (name: string): string =>
  `<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><use href="/assets/icons.svg#${name}"></use></svg>`;

/** Reads the templates of a folder. They can use `asset('home/home.js')` for the address of a file,
 *  `<%~ icon('search') %>`, `<%~ cover(view) %>`, and `localeNames`. */
export function readViews(folder: string, { addressOf }: Assets): Eta {
  const eta = new Eta({
    views: folder,
    cache: true,
    functionHeader: 'const { asset, cover, icon, localeNames } = this;',
  });
  const { resolvePath } = eta;
  const paths = new Map<string, string>();
  // Eta writes JSON to look up the path of each of the hundred parts of a page.
  eta.resolvePath = (name, options) => {
    const key = `${options?.filepath ?? ''}\n${name}`;
    const path = paths.get(key) ?? resolvePath.call(eta, name, options);
    paths.set(key, path);
    return path;
  };
  return Object.assign(eta, { asset: addressOf, cover: drawCover, icon: drawIcon, localeNames });
}

export const views = readViews(join(projectRoot, 'views'), assets);

export const escapeHtml = (text: string): string => views.config.escapeFunction(text);
