import type { SlackApp } from '#domain/slack';
import type { Clock } from '#ports/clock';
import type { Store } from '#ports/store/store';
import { createRateLimiter, type RateLimiter } from '#services/host/rate-limits';
import type { Secrets } from '#services/host/secrets';
import { createKeptStates, type KeptStates } from '#services/people/kept-states';
import { createPeople, type People } from '#services/people/people/people';
import {
  createSlackCredentials,
  type SlackCredentials,
} from '#services/people/slack-credentials/slack-credentials';
import {
  createSlackInstallations,
  type SlackInstallations,
} from '#services/people/slack-installations/slack-installations';
import type { Audit } from '#services/tenants/audit';
import { createTenantLinks, type TenantLinks } from '#services/tenants/tenant-links';

export interface SlackPartsDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Of the environment. */
  readonly environmentApp: SlackApp | undefined;
  /** Of Slack's API. */
  readonly apiOrigin: string;
  onProblem(error: unknown): void;
}

export interface SlackParts {
  readonly slackInstallations: SlackInstallations;
  readonly slackCredentials: SlackCredentials;
  readonly slackInstallLinks: TenantLinks;
  readonly people: People;
  readonly keptStates: KeptStates;
  /** Of one person. */
  readonly slackFeedbackLimit: RateLimiter;
  /** Whether somebody of this tenant can have a shelf in Slack. */
  hasSlack(tenantId: string): Promise<boolean>;
}

/** More than anyone needs, and little enough for the service that gets it. */
const FEEDBACK = { name: 'slack-feedback', points: 30, windowSeconds: 3_600 } as const;

/** The Slack app, where it is installed, and what is kept of people, whose accounts elsewhere are linked with those in Slack. */
export function createSlackParts(deps: SlackPartsDeps): SlackParts {
  const { store, clock } = deps;
  const { nonces, people: records, rateCounters, slackInstallations: installations } = store;
  const { admins, shelf, tenants } = store;
  const people = createPeople({ people: records, shelf, nonces, rateCounters, tenants, clock });
  return {
    slackInstallations: createSlackInstallations({ ...deps, installations, tenants, people }),
    async hasSlack(tenantId) {
      const wanted = { scope: [tenantId], search: '', page: 0, pageSize: 1 };
      return (await installations.listInstallations(wanted)).total > 0;
    },
    slackCredentials: createSlackCredentials(deps),
    slackInstallLinks: createTenantLinks({ ...deps, purpose: 'slack-install', nonces, tenants, admins }),
    people,
    keptStates: createKeptStates({ nonces, clock }),
    slackFeedbackLimit: createRateLimiter(rateCounters, clock, FEEDBACK),
  };
}
