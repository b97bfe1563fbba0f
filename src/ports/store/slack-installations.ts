import type { TenantScope } from '#domain/admin';
import { foldText, foldTexts } from '#domain/text';
import { describeRecord, field, is, type OpenRecords, type PageRequest, type RecordOf } from './record.ts';

export const slackInstallationRecords = describeRecord('slackInstallations', {
  fields: {
    /** Of the workspace (`T…`), or of an organisation that installed it for all (`E…`). */
    id: field.text(),
    tenantId: field.ofTenant,
    kind: field.text<'workspace' | 'organisation'>(),
    name: field.text(),
    /** Of the organisation that a workspace belongs to; null where there is none. */
    enterpriseId: field.nullable(field.text()),
    appId: field.text(),
    botId: field.text(),
    botUserId: field.text(),
    scopes: field.texts(),
    /** Id of the person in Slack who installed it last. */
    installedBy: field.text(),
    /** The last time. */
    installedAt: field.instant,
  },
  derived: {
    name: { of: ({ name }) => foldText(name) },
    search: { of: ({ name, id }) => foldTexts(name, id) },
  },
  sorts: { name: 'derived.name' },
});

/** The app in one workspace, or in all workspaces of an organisation. Its token is a secret of the
 *  tenant, `slack-bot-token:<id>:<milliseconds of installedAt>`. */
export type SlackInstallationRecord = RecordOf<typeof slackInstallationRecords>;

export interface SlackInstallationListRequest extends PageRequest {
  readonly scope: TenantScope;
  /** Part of the name or of the id, however it is written; empty finds all. */
  readonly search: string;
}

export type SlackInstallationRepository = ReturnType<typeof createSlackInstallationRepository>;

export function createSlackInstallationRepository(open: OpenRecords) {
  const records = open(slackInstallationRecords);
  return {
    /** Adds it, or replaces the one of the same id and the same tenant, in one step.
     *  @returns the one that it replaced, null where there was none; `taken` where the id is
     *  another tenant's, and nothing changes */
    async putInstallation(record: SlackInstallationRecord): Promise<SlackInstallationRecord | null | 'taken'> {
      // A further try means that another installation or a removal was quicker.
      for (;;) {
        if (await records.putIf(record, null)) return null;
        const before = await records.get({ id: record.id });
        if (before === null) continue;
        if (before.tenantId !== record.tenantId) return 'taken';
        if (await records.putIf(record, { ...before })) return before;
      }
    },
    findInstallation: (id: string) => records.get({ id }),
    /** By name, ties in the order of the ids. */
    listInstallations: ({ scope, search, ...page }: SlackInstallationListRequest) =>
      records.page(
        { where: { tenantId: is.inScope(scope), 'derived.search': is.containing(search) }, order: ['derived.name'] },
        page,
      ),
    /** Removes an installation not newer than `installedUntil` (null: any), in one step. */
    removeInstallation: (id: string, installedUntil: Date | null) =>
      records.take({ id, installedAt: installedUntil === null ? undefined : is.atMost(installedUntil) }),
  };
}
