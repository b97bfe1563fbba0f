import type { TenantScope } from '#domain/admin';
import { foldText } from '#domain/text';
import {
  describeRecord,
  field,
  is,
  KEY,
  type OpenRecords,
  type Page,
  type PageRequest,
  type RecordOf,
} from './record.ts';

/** `unsure`: it did not answer as it should, but may tomorrow. */
export type LinkState = 'alive' | 'dead' | 'unsure';

const linkProblems = [
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

export const linkCheckRecords = describeRecord('linkChecks', {
  fields: {
    url: field.text(),
    state: field.text<LinkState>(),
    checkedAt: field.instant,
    /** Since when it has been in this state. */
    since: field.instant,
    /** HTTP status of the last answer; null where there was none. */
    status: field.nullable(field.integer),
    /** What was wrong, in a word the page can translate; null when alive. */
    reason: field.nullable(field.text<LinkProblem>()),
    /** Checks in a row that went wrong. */
    failures: field.integer,
    /** Where it has moved to for good; null where it has not. */
    movedTo: field.nullable(field.text()),
    /** What the last answer is known by, to ask whether it has changed; null where it had none. */
    etag: field.nullable(field.text()),
    lastModified: field.nullable(field.text()),
  },
  key: ['url'],
  derived: { search: { of: ({ url }) => foldText(url) } },
  indexes: [
    ['state', 'since', KEY],
    ['state', KEY],
  ],
});

/** What is known of one address of a learning object. */
export type LinkCheck = RecordOf<typeof linkCheckRecords>;

export type LinkCheckRepository = ReturnType<typeof createLinkCheckRepository>;

export function createLinkCheckRepository(open: OpenRecords) {
  const records = open(linkCheckRecords);
  return {
    /** Adds or replaces by their addresses; at most 1,000. */
    saveLinkChecks: (checks: readonly LinkCheck[]) => records.put(checks),
    /** Those of these addresses (at most 1,000) that were ever checked, by address. */
    findLinkChecks: (urls: readonly string[]) => records.find({ where: { url: is.oneOf(urls) } }),
    /** Of one state, by address; those after `after`, at most `limit`. */
    readLinkChecks: ({
      state,
      after,
      limit,
    }: {
      readonly state: LinkState;
      readonly after: string | null;
      readonly limit: number;
    }) => records.find({ where: { state }, after: after === null ? null : { url: after }, limit }),
    /** All but the living: dead ones first, of each state those that have been so for longest;
     *  `search` is found in the address. */
    listBrokenLinks: (request: PageRequest & { readonly search: string }): Promise<Page<LinkCheck>> => {
      const broken = { state: is.oneOf(['dead', 'unsure']), 'derived.search': is.containing(request.search) };
      // `dead` comes before `unsure` in the alphabet, too.
      return records.page({ where: broken, order: ['state', 'since'] }, request);
    },
    async countLinkChecks(): Promise<Readonly<Record<LinkState, number>>> {
      const [alive, dead, unsure] = await Promise.all([
        records.count({ state: 'alive' }),
        records.count({ state: 'dead' }),
        records.count({ state: 'unsure' }),
      ]);
      return { alive, dead, unsure };
    },
    /** Changes with the dead addresses; empty while there are none. Cheap: called every few
     *  seconds. */
    async deadLinksVersion(): Promise<string> {
      const [dead] = await records.summarize(['state'], { state: 'dead' }, { latest: 'since' });
      return dead === undefined ? '' : `${dead.count}-${dead.latest?.getTime()}`;
    },
    /** Of these addresses; at most 1,000. @returns how many there were */
    removeLinkChecks: (urls: readonly string[]) => records.remove({ url: is.oneOf(urls) }),
  };
}

/** `replace`: another object; `leave`: no change; `look-again`: the address counts as alive. */
const mendKinds = ['replace', 'leave', 'look-again'] as const;
export type MendKind = (typeof mendKinds)[number];

export const linkMendRecords = describeRecord('linkMends', {
  fields: {
    id: field.text(),
    tenantId: field.ofTenant,
    /** Of the object that was dead. */
    url: field.text(),
    kind: field.text<MendKind>(),
    /** As the audit trail names them. */
    madeBy: field.text(),
    madeAt: field.instant,
    /** Null while it counts. */
    undoneAt: field.nullable(field.instant),
    /** As the check had them. */
    reason: field.nullable(field.text<LinkProblem>()),
    since: field.instant,
    /** What was put there; null for the other kinds. */
    object: field.nullable(field.json<{ readonly title: string; readonly url: string }>()),
    /** Ids of the placements behind each link that was changed. */
    changes: field.json<readonly { readonly linkId: string; readonly from: string; readonly to: string }[]>(),
  },
  derived: { byUrl: { of: ({ object }) => object?.url ?? null } },
  indexes: [
    ['url', '-madeAt', 'id'],
    ['tenantId', 'derived.byUrl', '-madeAt', 'id'],
  ],
});

/** An action on a dead address in the courses of a tenant, with the data to undo it. */
export type LinkMend = RecordOf<typeof linkMendRecords>;

export type LinkMendRepository = ReturnType<typeof createLinkMendRepository>;

const MAX_REPLACEMENTS = 100;

export function createLinkMendRepository(open: OpenRecords) {
  const records = open(linkMendRecords);
  return {
    addLinkMend: (record: LinkMend) => records.add([record]),
    /** Null when there is none in this tenant. */
    findLinkMend: (tenantId: string, id: string) => records.get({ tenantId, id }),
    /** Of these addresses (at most 1,000), newest first, ties by id, at most `limit` (1 to
     *  1,000). */
    listLinkMends: (scope: TenantScope, urls: readonly string[], limit: number) =>
      records.find({ where: { url: is.oneOf(urls), tenantId: is.inScope(scope) }, order: ['-madeAt'], limit }),
    /** Those with this replacement address, newest first, ties by id, at most 100. */
    listReplacements: (tenantId: string, url: string) =>
      records.find({
        where: { tenantId, 'derived.byUrl': url },
        order: ['-madeAt'],
        limit: MAX_REPLACEMENTS,
      }),
    /** False when it was undone before, or there is none: only one of several at once undoes it. */
    markMendUndone: async (tenantId: string, id: string, undoneAt: Date) =>
      (await records.changeIf({ tenantId, id, undoneAt: null }, { undoneAt })) === 1,
  };
}
