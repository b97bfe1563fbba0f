import type { TenantScope } from '#domain/admin';
import { foldText } from '#domain/text';
import type { OpenRecords, Page, PageRequest, RecordOf } from './record.ts';
import { describeRecord, field, is, KEY } from './record.ts';

/** `unsure`: a failure that may be temporary. */
export type LinkState = 'alive' | 'dead' | 'unsure';

const linkProblems = [
  'not-found',
  'gone',
  /** The domain name does not resolve. */
  'no-host',
  /** Nothing listens, or the connection breaks. */
  'refused',
  'timeout',
  /** Expired, or for another host. */
  'certificate',
  'redirects',
  /** The domain is for sale or shows advertisements. */
  'parked',
  /** Redirects to the home page of a site. */
  'sent-home',
  'server-error',
  /** Requires a sign-in or refuses programs, so people may be able to open it. */
  'forbidden',
  /** A private network, which is not called. */
  'not-public',
  /** robots.txt excludes programs. */
  'robots',
] as const;
export type LinkProblem = (typeof linkProblems)[number];

export const linkCheckRecords = describeRecord('linkChecks', {
  fields: {
    url: field.text(),
    state: field.text<LinkState>(),
    checkedAt: field.instant,
    since: field.instant,
    /** HTTP status of the last answer; null if there was none. */
    status: field.nullable(field.integer),
    /** Null when alive. */
    reason: field.nullable(field.text<LinkProblem>()),
    /** Failed checks in a row. */
    failures: field.integer,
    /** Target of a permanent redirect; null for none. */
    movedTo: field.nullable(field.text()),
    /** Validators for conditional requests; null if the last answer had none. */
    etag: field.nullable(field.text()),
    lastModified: field.nullable(field.text()),
    /** Address of the picture that the page names for itself; null for none. */
    picture: field.initially(field.nullable(field.text()), null),
  },
  impersonal: 'url state checkedAt since status reason failures movedTo etag lastModified picture',
  key: ['url'],
  derived: { search: { of: ({ url }) => foldText(url) } },
  indexes: [
    ['state', 'since', KEY],
    ['state', KEY],
  ],
});

export type LinkCheck = RecordOf<typeof linkCheckRecords>;
export type LinkCheckRepository = ReturnType<typeof createLinkCheckRepository>;

export function createLinkCheckRepository(open: OpenRecords) {
  const records = open(linkCheckRecords);
  return {
    /** Adds or replaces at most 1,000 checks. */
    saveLinkChecks: (checks: readonly LinkCheck[]) => records.put(checks),
    /** Finds the checks of at most 1,000 addresses, in the order of the addresses. */
    findLinkChecks: (urls: readonly string[]) => records.find({ where: { url: is.oneOf(urls) } }),
    /** Reads checks in one state after the address `after`, at most `limit`. */
    readLinkChecks: ({
      state,
      after,
      limit,
    }: {
      readonly state: LinkState;
      readonly after: string | null;
      readonly limit: number;
    }) => records.find({ where: { state }, after: after === null ? null : { url: after }, limit }),
    /** Lists broken links, dead ones first, then oldest first. `search` is a part of an address. */
    listBrokenLinks: (request: PageRequest & { readonly search: string }): Promise<Page<LinkCheck>> => {
      const broken = { state: is.oneOf(['dead', 'unsure']), 'derived.search': is.containing(request.search) };
      // `dead` sorts before `unsure`.
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
    /** Returns a text that changes with the dead addresses; empty for none. Cheap. */
    async deadLinksVersion(): Promise<string> {
      const [dead] = await records.summarize(['state'], { state: 'dead' }, { latest: 'since' });
      return dead === undefined ? '' : `${dead.count}-${dead.latest?.getTime()}`;
    },
    /** Removes the checks of at most 1,000 addresses. @returns their number */
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
    /** Address of the dead object. */
    url: field.text(),
    kind: field.text<MendKind>(),
    /** Name as in the audit trail. */
    madeBy: field.text(),
    madeAt: field.instant,
    /** Null while the mend is in effect. */
    undoneAt: field.nullable(field.instant),
    /** Reason and begin of the failure, copied from the check. */
    reason: field.nullable(field.text<LinkProblem>()),
    since: field.instant,
    /** Object that replaces the dead one; null for the other kinds. */
    object: field.nullable(field.json<{ readonly title: string; readonly url: string }>()),
    /** Placement ids of each changed link, before and after. */
    changes: field.json<readonly { readonly linkId: string; readonly from: string; readonly to: string }[]>(),
  },
  personal: { signature: 'madeBy', about: 'madeAt' },
  impersonal: 'id tenantId url kind undoneAt reason since object changes',
  privacy: { seenBy: ['admins'], kept: 'tenant', erasure: 'pseudonym' },
  derived: { byUrl: { of: ({ object }) => object?.url ?? null } },
  indexes: [
    ['url', '-madeAt', 'id'],
    ['tenantId', 'derived.byUrl', '-madeAt', 'id'],
  ],
});

/** An action on a dead address in the courses of a tenant, with the data to undo it. */
export type LinkMend = RecordOf<typeof linkMendRecords>;

const MAX_REPLACEMENTS = 100;

export function createLinkMendRepository(open: OpenRecords) {
  const records = open(linkMendRecords);
  return {
    addLinkMend: (record: LinkMend) => records.add([record]),
    findLinkMend: (tenantId: string, id: string) => records.get({ tenantId, id }),
    /** Lists the mends of at most 1,000 addresses, newest first, at most `limit` (1 to 1,000). */
    listLinkMends: (scope: TenantScope, urls: readonly string[], limit: number) =>
      records.find({ where: { url: is.oneOf(urls), tenantId: is.inScope(scope) }, order: ['-madeAt'], limit }),
    /** Lists replacements by this address, newest first, ties by id, at most 100. */
    listReplacements: (tenantId: string, url: string) =>
      records.find({ where: { tenantId, 'derived.byUrl': url }, order: ['-madeAt'], limit: MAX_REPLACEMENTS }),
    /** Returns false when it was undone before: of simultaneous calls, one succeeds. */
    markMendUndone: async (tenantId: string, id: string, undoneAt: Date) =>
      (await records.changeIf({ tenantId, id, undoneAt: null }, { undoneAt })) === 1,
  };
}
