import type { PictureLinks } from '../../domain/picture.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NonceRepository, RateCounterRepository } from '../../ports/store/store.ts';
import type { Discovery } from '../../services/discovery/discovery.ts';
import type { FeedbackService } from '../../services/feedback/feedback.ts';
import type { Insight } from '../../services/insight/insight.ts';
import type { KeptStates } from '../../services/kept-states.ts';
import type { People } from '../../services/people/people.ts';
import type { RateLimiter } from '../../services/rate-limits.ts';
import type { Shelf } from '../../services/shelf.ts';
import type { SlackInstallations } from '../../services/slack-installations/slack-installations.ts';
import type { TenantLinks } from '../../services/tenant-links.ts';
import type { Tenants } from '../../services/tenants/tenants.ts';
import type { Usage } from '../../services/usage.ts';
import type { SlackConnection } from './connection.ts';

export interface SlackFaceDeps {
  readonly installations: SlackInstallations;
  readonly installLinks: TenantLinks;
  /** Connections whose requests are accepted: the app of this host, and that of the demo. */
  listConnections(): Promise<readonly SlackConnection[]>;
  /** The one that can be installed: that of this host; null where there is none. */
  findConnection(): Promise<SlackConnection | null>;
  /** `xapp-…` for Socket Mode; absent: HTTP. */
  readonly appToken?: string | undefined;
  readonly tenants: Tenants;
  discoveryOf(tenantId: string): Discovery;
  readonly feedback: FeedbackService;
  /** Of one person. */
  readonly feedbackLimit: RateLimiter;
  readonly shelf: Shelf;
  readonly people: People;
  readonly keptStates: KeptStates;
  readonly usage: Pick<Usage, 'count'>;
  readonly insight: Pick<Insight, 'noteSearch'>;
  /** Installations that were begun. */
  readonly nonces: NonceRepository;
  /** Counts how often people and workspaces ask. */
  readonly rateCounters: RateCounterRepository;
  readonly clock: Clock;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly pictures: Pick<PictureLinks, 'linkTo'>;
  /** Told of what went wrong in passing; no request fails with it. */
  onProblem(error: unknown): void;
  /** Told of what happened, with the reference that people are shown. */
  onFailure(failure: {
    readonly error: unknown;
    readonly reference: string;
    readonly listener: string;
  }): void;
}
