import { foldText } from '#domain/text';
import {
  containing,
  describeRecord,
  instant,
  integer,
  KEY,
  nullable,
  type OpenRecords,
  oneOf,
  type Page,
  type PageRequest,
  text,
} from './record.ts';

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

export const linkCheckRecords = describeRecord<LinkCheck>('linkChecks', {
  fields: {
    url: text(),
    state: text(),
    checkedAt: instant,
    since: instant,
    status: nullable(integer),
    reason: nullable(text<LinkProblem>()),
    failures: integer,
    movedTo: nullable(text()),
    etag: nullable(text()),
    lastModified: nullable(text()),
  },
  key: ['url'],
  derived: { search: { of: ({ url }) => foldText(url) } },
  indexes: [
    ['state', 'since', KEY],
    ['state', KEY],
  ],
});

export function createLinkCheckRepository(open: OpenRecords): LinkCheckRepository {
  const records = open(linkCheckRecords);
  return {
    saveLinkChecks: (checks) => records.put(checks),
    findLinkChecks: (urls) => records.find({ where: { url: oneOf(urls) } }),
    readLinkChecks: ({ state, after, limit }) =>
      records.find({ where: { state }, after: after === null ? null : { url: after }, limit }),
    listBrokenLinks: (request) => {
      const broken = { state: oneOf(['dead', 'unsure']), 'derived.search': containing(request.search) };
      // `dead` comes before `unsure` in the alphabet, too.
      return records.page({ where: broken, order: ['state', 'since'] }, request);
    },
    async countLinkChecks() {
      const [alive, dead, unsure] = await Promise.all([
        records.count({ state: 'alive' }),
        records.count({ state: 'dead' }),
        records.count({ state: 'unsure' }),
      ]);
      return { alive, dead, unsure };
    },
    async deadLinksVersion() {
      const [dead] = await records.summarize(['state'], { state: 'dead' }, { latest: 'since' });
      return dead === undefined ? '' : `${dead.count}-${dead.latest?.getTime()}`;
    },
    removeLinkChecks: (urls) => records.remove({ url: oneOf(urls) }),
  };
}
