import type { Page, PageRequest } from './page.ts';

/** `unsure`: it did not answer as it should, but may tomorrow. */
export type LinkState = 'alive' | 'dead' | 'unsure';

export const linkProblems = [
  'not-found',
  'gone',
  /** Its name is not known to the network. */
  'no-host',
  /** Nothing listens there, or the connection breaks. */
  'refused',
  'timeout',
  /** Its certificate has expired, or is not for it. */
  'certificate',
  'redirects',
  /** Its domain is for sale, or shows advertisements. */
  'parked',
  /** It leads to the home page of a site. */
  'sent-home',
  'server-error',
  /** It requires a sign-in, or refuses programs: people may well see it. */
  'forbidden',
  /** The address of a private network, which is not called. */
  'not-public',
  /** The site asks programs to stay away from it. */
  'robots',
] as const;
export type LinkProblem = (typeof linkProblems)[number];

/** What is known of one address of a learning object. */
export interface LinkCheck {
  readonly url: string;
  readonly state: LinkState;
  readonly checkedAt: Date;
  /** Since when it has been in this state. */
  readonly since: Date;
  /** HTTP status of the last answer; null where there was none. */
  readonly status: number | null;
  /** What was wrong, in a word the page can translate; null when alive. */
  readonly reason: LinkProblem | null;
  /** Checks in a row that went wrong. */
  readonly failures: number;
  /** Where it has moved to for good; null where it has not. */
  readonly movedTo: string | null;
  /** What the last answer is known by, to ask whether it has changed; null where it had none. */
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface LinkCheckRepository {
  /** Adds or replaces by their addresses; at most 1,000. */
  saveLinkChecks(checks: readonly LinkCheck[]): Promise<void>;
  /** Those of these addresses (at most 1,000) that were ever checked, by address. */
  findLinkChecks(urls: readonly string[]): Promise<readonly LinkCheck[]>;
  /** Of one state, by address; those after `after`, at most `limit`. */
  readLinkChecks(options: {
    readonly state: LinkState;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly LinkCheck[]>;
  /** All but the living: dead ones first, of each state those that have been so for longest; `search` is found in the address. */
  listBrokenLinks(options: PageRequest & { readonly search: string }): Promise<Page<LinkCheck>>;
  countLinkChecks(): Promise<Readonly<Record<LinkState, number>>>;
  /** Changes whenever the set of dead ones changes: for asking every few seconds. Empty while there are none. */
  deadLinksVersion(): Promise<string>;
  /** Of these addresses; at most 1,000. @returns how many there were */
  removeLinkChecks(urls: readonly string[]): Promise<number>;
}
