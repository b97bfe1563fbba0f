import type { Page, PageRequest } from './page.ts';

/** `unsure`: it did not answer as it should, but may tomorrow. */
export type LinkState = 'alive' | 'dead' | 'unsure';

/** What is known of one address of a learning object. */
export interface LinkCheck {
  readonly url: string;
  readonly state: LinkState;
  readonly checkedAt: Date;
  /** Since when it has been in this state. */
  readonly since: Date;
  /** HTTP status of the last answer; null where there was none. */
  readonly status: number | null;
  /** What was wrong, in a word the page can translate: `not-found`, `gone`, `no-host`, `refused`, `timeout`, `server-error` …; null when alive. */
  readonly reason: string | null;
  /** Checks in a row that went wrong. */
  readonly failures: number;
}

export interface LinkCheckRepository {
  /** Adds or replaces by their addresses; at most 1,000. */
  saveLinkChecks(checks: readonly LinkCheck[]): Promise<void>;
  findLinkChecks(urls: readonly string[]): Promise<readonly LinkCheck[]>;
  /** Of one state, or of all but the living, by address; those after `after`, at most `limit`. */
  readLinkChecks(options: {
    readonly state: LinkState;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly LinkCheck[]>;
  /** Dead ones first, then by how long they have been so; `search` is found in the address. */
  listBrokenLinks(options: PageRequest & { readonly search: string }): Promise<Page<LinkCheck>>;
  countLinkChecks(): Promise<Readonly<Record<LinkState, number>>>;
  /** Of addresses that are not among the catalogue's any more. @returns how many there were */
  removeLinkChecks(urls: readonly string[]): Promise<number>;
}
