import type { ImportRequest } from '../../../../ports/imports.ts';
import type { WebContext } from '../open-web-source.ts';
import type { Robots } from './robots.ts';

/** A reading of a page, a file or a site. */
export interface Reading {
  readonly request: ImportRequest;
  readonly context: WebContext;
  readonly walk: Walk;
  readonly signal: AbortSignal;
}

export interface Walk {
  /** Whether everything that there is was read. */
  isWhole: boolean;
}

export interface Site {
  readonly robots: Robots;
  readonly origin: string;
  /** Sitemaps to begin with. */
  readonly start: readonly string[];
}
