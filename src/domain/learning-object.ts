import { hash } from 'node:crypto';
import type { ObjectFacts } from './object-facts.ts';

/** The type names of the specification, in its order and spelling. */
export const learningObjectTypes = [
  'app',
  'article',
  'book',
  'career profile',
  'distance learning',
  'ebook',
  'mooc',
  'podcast',
  'safety sheet',
  'serious game',
  'training',
  'tutorial',
  'video',
  'website',
] as const;
export type LearningObjectType = (typeof learningObjectTypes)[number];

/** Bloom's revised objectives, from the simplest to the most demanding. */
export const bloomObjectives = ['Remember', 'Understand', 'Apply', 'Analyze', 'Evaluate', 'Create'] as const;
export type BloomObjective = (typeof bloomObjectives)[number];

/** A learning resource. An absent field is unknown, never "none". */
export interface LearningObject extends ObjectFacts {
  readonly title: string;
  readonly url: string;
  readonly description?: string;
  readonly picture?: string;
  /** Address of a page or player for frames. */
  readonly embed?: string;
  readonly provider?: string;
  readonly bloom: readonly string[];
  /** Lower-case type names. */
  readonly type: readonly string[];
  /** -1 (beginner) to 1 (advanced). */
  readonly level?: number;
  /** Two-letter code. */
  readonly lang?: string;
  readonly learningTime?: LearningTime;
  readonly address?: string;
  readonly publisher: readonly string[];
  readonly author: readonly string[];
  readonly price?: Price;
  /** True if perhaps only people of a course can open it; this host does not check its address. */
  readonly isRestricted?: boolean;
  /** Broad field of ISCED-F, for its cover; only of the embedded catalogue, and not on the wire. */
  readonly field?: string;
}

type LearningTime = { readonly value: number; readonly unit: 'h' | 'min' };

export interface Price {
  /** Amount in `currency`. */
  readonly amount?: number;
  /** A currency symbol such as `€`. */
  readonly currency?: string;
  /** Usable without paying; there may be a paid version, too. */
  readonly free: boolean;
}

/** Returns minutes; undefined if unknown. */
export function toLearningMinutes(time: LearningTime | undefined): number | undefined {
  if (time === undefined) return undefined;
  return time.unit === 'h' ? time.value * 60 : time.value;
}

/** Query parameters that only identify visitors. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|ref_src|igshid|si)$/i;

/** Returns a form of an address for comparison, not for opening: without scheme, `www.`, final
 *  slash, fragment and tracking parameters, and with a sorted query. Other texts stay unchanged.
 *  @example normalizeObjectAddress('http://www.example.org/a/?utm_source=x&b=2&a=1#part')
 *  // 'example.org/a?a=1&b=2' */
export function normalizeObjectAddress(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !/^https?:$/.test(address.protocol)) return url;
  const { host, pathname, search, hash: fragment } = address;
  return (
    host.replace(/^www\./, '') + withoutSlash(pathname) + (search && normalizeQuery(search)) + findHashRoute(fragment)
  );
}

function normalizeQuery(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of [...query.keys()]) if (TRACKING.test(name)) query.delete(name);
  query.sort();
  return query.size === 0 ? '' : `?${query}`;
}

/** Returns 22 characters, the same for all spellings of an address. */
export const hashObjectAddress = (url: string): string =>
  hash('sha256', normalizeObjectAddress(url), 'base64url').slice(0, 22);

/** Returns the fragment if it names a page, `#/course/1`, not a place on the page; else empty. */
function findHashRoute(hash: string): string {
  const route = withoutSlash(hash);
  return /^#[/!]./.test(route) ? route : '';
}

const withoutSlash = (text: string): string => text.replace(/\/+$/, '');
