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

/** Absent means unknown, never "none". */
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
  /** Perhaps only for the people of a course, so this host does not check its address. */
  readonly isRestricted?: boolean;
  /** Broad field of ISCED-F, for its cover. Only of the embedded catalogue; not on the wire. */
  readonly field?: string;
}

export type LearningTime = { readonly value: number; readonly unit: 'h' | 'min' };

export interface Price {
  /** In `currency`; absent where unknown. */
  readonly amount?: number;
  /** A currency symbol such as `€`. */
  readonly currency?: string;
  /** Usable without paying; there may be a paid version, too. */
  readonly free: boolean;
}

/** Minutes; undefined if unknown. */
export function toLearningMinutes(time: LearningTime | undefined): number | undefined {
  if (time === undefined) return undefined;
  return time.unit === 'h' ? time.value * 60 : time.value;
}

/** Query parameters that only identify visitors. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|ref_src|igshid|si)$/i;

/** A form of the address for comparison, not for opening: without scheme, `www.`, final slash,
 *  fragment, order of the query, and tracking parameters. Other texts are returned unchanged.
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

/** 22 characters, the same for all spellings of an address. */
export const hashObjectAddress = (url: string): string =>
  hash('sha256', normalizeObjectAddress(url), 'base64url').slice(0, 22);

/** Some sites have pages in the fragment, `#/course/1`; others are places on one page. */
function findHashRoute(hash: string): string {
  const route = withoutSlash(hash);
  return /^#[/!]./.test(route) ? route : '';
}

const withoutSlash = (text: string): string => text.replace(/\/+$/, '');
