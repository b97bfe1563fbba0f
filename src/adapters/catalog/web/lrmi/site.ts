import * as robotsModule from 'robots-parser';
import { AppError } from '#errors';
import type { ImportRequest, SourceProblem } from '#ports/imports';
import type { Fetch, WebContext } from '../fetcher.ts';
import { decodeText } from '../read-text.ts';

/** A reading of a page, a file or a site. */
export interface Reading {
  readonly request: ImportRequest;
  readonly context: WebContext;
  readonly walk: Walk;
  readonly signal: AbortSignal;
}

export interface Walk {
  /** Whether everything was read. */
  isWhole: boolean;
}

export interface Site {
  readonly robots: Robots;
  readonly origin: string;
  /** Sitemaps to begin with. */
  readonly start: readonly string[];
}

/** What a site asks of programs. */
export interface Robots {
  isAllowed(url: string): boolean;
  /** Between two pages. */
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
}

/** Its types claim a default export, which the package does not have: the module itself is the function. */
const robotsParser = robotsModule.default as unknown as typeof robotsModule.default.default;

const AGENT = 'Skilldock';
const MAX_DELAY_SECONDS = 30;
const MAX_BYTES = 524_288;
/** Of all rules with wildcards together. A match may compare each with each character of an address; the largest sites have a tenth
 *  of this. */
const MAX_PATTERN_CHARACTERS = 50_000;

/** A site without a robots.txt allows everything. Errors: IMPORT_INVALID where its rules cannot be followed; SOURCE_UNAVAILABLE where the site does not answer, which is not consent
 *  (RFC 9309, 2.3.1.4). */
export async function readSiteRobots(origin: string, fetch: Fetch, signal: AbortSignal): Promise<Robots> {
  const url = `${origin}/robots.txt`;
  const { status, bytes, headers } = await fetch(url, { signal, maxBytes: MAX_BYTES });
  if (status >= 500)
    throw new AppError(
      'SOURCE_UNAVAILABLE',
      `${url} answered with the status ${status}, so that nobody knows what may be read there. Try again later.`,
      { data: { reason: 'server-error' satisfies SourceProblem } },
    );
  const text = status < 300 ? decodeText(bytes, headers['content-type']) : '';
  refuseCostlyPatterns(url, text);
  const rules = robotsParser(url, text);
  return {
    isAllowed: (address) => rules.isAllowed(address, AGENT) !== false,
    delayMs: 1_000 * Math.min(rules.getCrawlDelay(AGENT) ?? 0, MAX_DELAY_SECONDS),
    sitemaps: rules.getSitemaps(),
  };
}

function refuseCostlyPatterns(url: string, text: string): void {
  let characters = 0;
  for (const line of text.split(/[\r\n]+/)) if (line.includes('*')) characters += line.length;
  if (characters <= MAX_PATTERN_CHARACTERS) return;
  throw new AppError(
    'IMPORT_INVALID',
    `${url} has more rules with wildcards than can be followed (${characters} characters, at most ${MAX_PATTERN_CHARACTERS}), so that nobody knows what may be read there. Ask those who run the site.`,
  );
}
