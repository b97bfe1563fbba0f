import type { TenantScope } from '#domain/admin';
import { foldText, foldTexts } from '#domain/text';
import { describeRecord, field, is, type OpenRecords, type PageRequest, type RecordOf } from './record.ts';

export const slackInstallationRecords = describeRecord('slackInstallations', {
  fields: {
    /** Id of the workspace (`T…`), or of an organisation that installed it for all (`E…`). */
    id: field.text(),
    tenantId: field.ofTenant,
    kind: field.text<'workspace' | 'organisation'>(),
    name: field.text(),
    /** Organisation of the workspace; null if there is none. */
    enterpriseId: field.nullable(field.text()),
    appId: field.text(),
    botId: field.text(),
    botUserId: field.text(),
    scopes: field.texts(),
    /** Id of the Slack user who installed the app. */
    installedBy: field.text(),
    installedAt: field.instant,
  },
  personal: { 'slack-user': 'installedBy' },
  impersonal: 'id tenantId kind name enterpriseId appId botId botUserId scopes installedAt',
  privacy: { seenBy: ['admins'], kept: 'account', erasure: 'pseudonym' },
  derived: {
    name: { of: ({ name }) => foldText(name) },
    search: { of: ({ name, id }) => foldTexts(name, id) },
  },
  sorts: { name: 'derived.name' },
});

/** The app in one workspace, or in all of an organisation. Its token is a secret of the tenant,
 *  `slack-bot-token:<id>:<milliseconds of installedAt>`. */
export type SlackInstallationRecord = RecordOf<typeof slackInstallationRecords>;

export interface SlackInstallationListRequest extends PageRequest {
  readonly scope: TenantScope;
  /** Part of the name or of the id, ignoring case; empty matches all. */
  readonly search: string;
}

export type SlackInstallationRepository = ReturnType<typeof createSlackInstallationRepository>;

export function createSlackInstallationRepository(open: OpenRecords) {
  const records = open(slackInstallationRecords);
  return {
    /** Adds an installation, or replaces the one of the same id and tenant, in one step.
     *  @returns the replaced one, null for none; `taken` where the id belongs to another tenant */
    async putInstallation(record: SlackInstallationRecord): Promise<SlackInstallationRecord | null | 'taken'> {
      // Tries again after a simultaneous installation or removal.
      for (;;) {
        if (await records.putIf(record, null)) return null;
        const before = await records.get({ id: record.id });
        if (before === null) continue;
        if (before.tenantId !== record.tenantId) return 'taken';
        if (await records.putIf(record, { ...before })) return before;
      }
    },
    findInstallation: (id: string) => records.get({ id }),
    /** Lists installations by name, ties in the order of the ids. */
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
