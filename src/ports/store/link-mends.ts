import type { TenantScope } from '../../domain/admin.ts';
import type { LinkProblem } from './link-checks.ts';

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
