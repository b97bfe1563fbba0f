import { describe, onTestFinished } from 'vitest';
import type { Store } from '../../../src/ports/store/store.ts';
import { describeActivity } from './activity.ts';
import { describeAdminLinks } from './admin-links.ts';
import { describeAdminSessions } from './admin-sessions.ts';
import { describeAdmins } from './admins.ts';
import { describeApiKeys } from './api-keys.ts';
import { describeAssistants } from './assistants.ts';
import { describeAudit } from './audit.ts';
import { describeClearShelves } from './clear-shelves.ts';
import { describeFacts } from './facts.ts';
import { describeFeedback } from './feedback.ts';
import { describeFeedbackDelivery } from './feedback-delivery.ts';
import { describeFeedbackRemoval } from './feedback-removal.ts';
import { describeFiles } from './files.ts';
import { describeHarvest } from './harvest.ts';
import { describeImports } from './imports.ts';
import { describeImportEntries } from './imports-entries.ts';
import { describeInsight } from './insight.ts';
import { describeLinkChecks } from './link-checks.ts';
import { describeLinkMends } from './link-mends.ts';
import { describeLtiDeployments } from './lti-deployments.ts';
import { describeLtiRegistrations } from './lti-registrations.ts';
import { describeObjectLayers } from './object-layers.ts';
import type { OpenedStore, OpenStore } from './opened-store.ts';
import { describePeople } from './people.ts';
import { describePlacements } from './placements.ts';
import { describePlans } from './plans.ts';
import { describeRemoveTenant } from './remove-tenant.ts';
import { describeScores } from './scores.ts';
import { describeSecrets } from './secrets.ts';
import { describeShelf } from './shelf.ts';
import { describeAnswers, describeNonces, describeRateCounters } from './short-lived.ts';
import { describeSlackInstallations } from './slack-installations.ts';
import { describeStore } from './store.ts';
import { describeTenants } from './tenants.ts';
import { describeTransfer } from './transfer.ts';
import { describeUsage } from './usage.ts';

export type { OpenedStore } from './opened-store.ts';

const parts: readonly ((open: OpenStore) => void)[] = [
  describeStore,
  describeTenants,
  describeRemoveTenant,
  describeSecrets,
  describeApiKeys,
  describeFeedback,
  describeFeedbackDelivery,
  describeFeedbackRemoval,
  describeAudit,
  describeAdmins,
  describeAdminLinks,
  describeAdminSessions,
  describeUsage,
  describeInsight,
  describeRateCounters,
  describeNonces,
  describeAnswers,
  describeShelf,
  describeClearShelves,
  describePlans,
  describeLtiRegistrations,
  describeLtiDeployments,
  describePlacements,
  describeActivity,
  describeScores,
  describeSlackInstallations,
  describePeople,
  describeImports,
  describeImportEntries,
  describeFacts,
  describeLinkChecks,
  describeLinkMends,
  describeObjectLayers,
  describeHarvest,
  describeAssistants,
  describeFiles,
  describeTransfer,
];

/** What every store must do, as `src/ports/store/store.ts` says it. `makeStore` is called once a test. */
export function describeStoreContract(name: string, makeStore: () => Promise<OpenedStore>): void {
  const open: OpenStore = async () => {
    const opened = await makeStore();
    const others: Store[] = [];
    onTestFinished(async () => {
      for (const other of others) await other.close();
      await opened.close();
    });
    const openAnother = async () => {
      const other = await opened.openAnother();
      others.push(other);
      return other;
    };
    return { store: opened.store, openAnother };
  };
  describe(`${name} keeps the store's promises:`, () => {
    for (const describePart of parts) describePart(open);
  });
}
