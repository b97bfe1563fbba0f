import { join } from 'node:path';
import express, { Router } from 'express';
import type { Provider } from '../../domain/catalog.ts';
import { projectRoot } from '../../project-root.ts';
import type { Discovery } from '../../services/discovery/discovery.ts';
import { scriptsDir } from '../scripts.ts';
import { createComplete } from './complete.ts';
import { completionLimits, createLimit, type Limits, searchLimits } from './limiter.ts';
import { createLogos } from './logos.ts';
import { createSearchPage } from './search-page.ts';
import { createTags } from './tags.ts';

export interface HomeFaceDeps {
  readonly discovery: Discovery;
  readonly publicUrl: string;
  readonly demoKey: string;
  /** Faces of this host and, for those that are off, why. */
  faces(): Promise<readonly FaceState[]>;
  /** Path of the demo course; absent where there is none. */
  readonly demoPath?: string;
  /** Of our own engine; null where another service is searched. */
  readonly sizes: () => Promise<Readonly<
    Record<'objects' | 'providers' | 'concepts' | 'labels', number>
  > | null>;
  /** Of our own engine, whose logos we draw, whichever service is searched. */
  readonly ownProviders: () => Promise<readonly Provider[]>;
  /** What one address may do; `searchLimits` and `completionLimits` when absent. */
  readonly limits?: { readonly searches: Limits; readonly completions: Limits };
}

export interface FaceState {
  readonly name: string;
  readonly isOn: boolean;
  /** Where it is, or why it is off. */
  readonly note: string;
  /** Where the note leads. */
  readonly href?: string;
}

const files = (path: string) =>
  express.static(path, {
    index: false,
    redirect: false,
    maxAge: '1h',
    // Learning platforms show the icon on pages of their own.
    setHeaders: (response) => response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin'),
  });

/** The front page: what this host is, a search without a key, and how to connect. */
export function createHomeFace(deps: HomeFaceDeps): Router {
  const { discovery, limits = { searches: searchLimits, completions: completionLimits } } = deps;
  const limitSearches = createLimit(limits.searches);
  const router = Router();
  router.use('/assets', files(join(projectRoot, 'views', 'assets')), files(scriptsDir));
  router.use(createSearchPage(deps, limitSearches));
  router.use(createTags(deps, limitSearches));
  router.use(createComplete(discovery, createLimit(limits.completions)));
  router.use(createLogos(deps.ownProviders));
  return router;
}
