import type { TenantScope } from '#domain/admin';
import type { LinkProblem } from './link-checks.ts';
import {
  describeRecord,
  inScope,
  instant,
  json,
  nullable,
  type OpenRecords,
  ofTenant,
  oneOf,
  text,
} from './record.ts';

/** `replace` puts another object there, `leave` lets it be, `look-again` takes its word for being alive. */
export const mendKinds = ['replace', 'leave', 'look-again'] as const;
export type MendKind = (typeof mendKinds)[number];

/** What somebody did about a dead address in the courses of a tenant, with what is needed to undo it. */
export interface LinkMend {
  readonly id: string;
  readonly tenantId: string;
  /** Of the object that was dead. */
  readonly url: string;
  readonly kind: MendKind;
  /** As the audit trail names them. */
  readonly madeBy: string;
  readonly madeAt: Date;
  /** Null while it counts. */
  readonly undoneAt: Date | null;
  /** As the check had them. */
  readonly reason: LinkProblem | null;
  readonly since: Date;
  /** What was put there; null for the other kinds. */
  readonly object: { readonly title: string; readonly url: string } | null;
  /** Ids of the placements behind each link that was changed. */
  readonly changes: readonly { readonly linkId: string; readonly from: string; readonly to: string }[];
}

export interface LinkMendRepository {
  addLinkMend(record: LinkMend): Promise<void>;
  /** Null when there is none in this tenant. */
  findLinkMend(tenantId: string, id: string): Promise<LinkMend | null>;
  /** Of these addresses (at most 1,000), newest first, ties in the order of the ids, at most `limit` (1 to 1,000). */
  listLinkMends(scope: TenantScope, urls: readonly string[], limit: number): Promise<readonly LinkMend[]>;
  /** Those that put the object of this address there, newest first, ties in the order of the ids, at most 100. */
  listReplacements(tenantId: string, url: string): Promise<readonly LinkMend[]>;
  /** False when it was undone before, or there is none: only one of several at once undoes it. */
  markMendUndone(tenantId: string, id: string, undoneAt: Date): Promise<boolean>;
}

export const linkMendRecords = describeRecord<LinkMend>('linkMends', {
  fields: {
    id: text(),
    tenantId: ofTenant,
    url: text(),
    kind: text(),
    madeBy: text(),
    madeAt: instant,
    undoneAt: nullable(instant),
    reason: nullable(text<LinkProblem>()),
    since: instant,
    object: nullable(json()),
    changes: json(),
  },
  derived: { byUrl: { of: ({ object }) => object?.url ?? null } },
  indexes: [
    ['url', '-madeAt', 'id'],
    ['tenantId', 'derived.byUrl', '-madeAt', 'id'],
  ],
});

const MOST_REPLACEMENTS = 100;

export function createLinkMendRepository(open: OpenRecords): LinkMendRepository {
  const records = open(linkMendRecords);
  return {
    addLinkMend: (record) => records.add([record]),
    findLinkMend: (tenantId, id) => records.get({ tenantId, id }),
    listLinkMends: (scope, urls, limit) =>
      records.find({ where: { url: oneOf(urls), tenantId: inScope(scope) }, order: ['-madeAt'], limit }),
    listReplacements: (tenantId, url) =>
      records.find({
        where: { tenantId, 'derived.byUrl': url },
        order: ['-madeAt'],
        limit: MOST_REPLACEMENTS,
      }),
    markMendUndone: async (tenantId, id, undoneAt) =>
      (await records.changeIf({ tenantId, id, undoneAt: null }, { undoneAt })) === 1,
  };
}
