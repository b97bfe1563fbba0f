import type { PictureLinks } from '../../domain/picture.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LtiPlatforms } from '../../ports/lti-platforms.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Browsing } from '../../services/browsing/browsing.ts';
import type { Completions } from '../../services/completions/completions.ts';
import type { Discovery } from '../../services/discovery/discovery.ts';
import type { FeedbackService } from '../../services/feedback/feedback.ts';
import type { Insight } from '../../services/insight/insight.ts';
import type { Keyring } from '../../services/keyring.ts';
import type { Launches } from '../../services/launches/launches.ts';
import type { DeadLinks } from '../../services/link-checks/dead-links.ts';
import type { LinkChecks } from '../../services/link-checks/link-checks.ts';
import type { LtiRegistrations } from '../../services/lti-registrations/lti-registrations.ts';
import type { Objects } from '../../services/objects/objects.ts';
import type { ReadPageAt } from '../../services/objects/page-reader.ts';
import type { People } from '../../services/people/people.ts';
import type { Placements } from '../../services/placements/placements.ts';
import type { RateLimiter } from '../../services/rate-limits.ts';
import type { Selections } from '../../services/selections.ts';
import type { Shelf } from '../../services/shelf.ts';
import type { TenantLinks } from '../../services/tenant-links.ts';
import type { Tenants } from '../../services/tenants/tenants.ts';
import type { TenantUpstreams } from '../../services/upstreams/upstreams.ts';

export interface LtiFaceDeps {
  readonly registrations: LtiRegistrations;
  readonly registrationLinks: TenantLinks;
  readonly launches: Launches;
  readonly placements: Placements;
  readonly linkChecks: LinkChecks;
  readonly deadLinks: DeadLinks;
  readonly completions: Completions;
  readonly platforms: LtiPlatforms;
  readonly outbound: Outbound;
  readonly pictures: PictureLinks;
  readonly keyring: Keyring;
  readonly tenants: Tenants;
  discoveryOf(tenantId: string): Discovery;
  browsingOf(tenantId: string): Browsing;
  /** The same, but nothing is counted: for what nobody searched for. */
  trialOf(tenantId: string): Discovery;
  readonly insight: Pick<Insight, 'noteSearch' | 'noteLookedInto' | 'noteObject'>;
  readonly feedback: FeedbackService;
  /** For each person. */
  readonly feedbackLimit: RateLimiter;
  readonly shelf: Shelf;
  readonly objects: Objects;
  readonly readObjectPage: ReadPageAt;
  /** Of pages that one person has read. */
  readonly suggestionLimit: RateLimiter;
  readonly upstreams: Pick<TenantUpstreams, 'connectionOf'>;
  readonly people: People;
  readonly selections: Selections;
  /** Whether somebody of this tenant can have a shelf elsewhere: in Slack, or with an assistant. */
  hasOtherShelves(tenantId: string): Promise<boolean>;
  readonly clock: Clock;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  /** Told of problems that no request fails with. */
  onProblem(error: unknown): void;
}
