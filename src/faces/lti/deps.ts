import type { Launch } from '#domain/lti/launch';
import type { PictureLinks } from '#domain/picture';
import type { SkillPages } from '#faces/object-view/skill-address';
import type { Clock } from '#ports/clock';
import type { LtiPlatforms } from '#ports/lti-platforms';
import type { DeadLinks } from '#services/catalogue/link-checks/dead-links';
import type { LinkChecks } from '#services/catalogue/link-checks/link-checks';
import type { Objects } from '#services/catalogue/objects/objects';
import type { ReadPageAt } from '#services/catalogue/objects/page-reader';
import type { Completions } from '#services/courses/completions/completions';
import type { CourseOverview } from '#services/courses/course-overview';
import type { Launches } from '#services/courses/launches/launches';
import type { LtiRegistrations } from '#services/courses/lti-registrations/lti-registrations';
import type { Placements } from '#services/courses/placements/placements';
import type { Insight } from '#services/host/insight';
import type { Keyring } from '#services/host/keyring';
import type { RateLimiter } from '#services/host/rate-limits';
import type { FeedbackService } from '#services/people/feedback/feedback';
import type { People } from '#services/people/people';
import type { PersonDataService } from '#services/people/person-data/person-data';
import type { PersonSessions } from '#services/people/person-sessions';
import type { Plans } from '#services/people/plans/plans';
import type { Selections } from '#services/people/selections';
import type { Shelf } from '#services/people/shelf';
import type { Browsing } from '#services/searching/browsing';
import type { Discovery } from '#services/searching/discovery';
import type { ObjectLookup } from '#services/searching/object-lookup';
import type { TenantUpstreams } from '#services/searching/upstreams';
import type { Assistants } from '#services/tenants/assistants/assistants';
import type { TenantLinks } from '#services/tenants/tenant-links';
import type { Tenants } from '#services/tenants/tenants';

export interface LtiFaceDeps extends SkillPages {
  readonly registrations: LtiRegistrations;
  readonly registrationLinks: TenantLinks;
  readonly launches: Launches;
  readonly placements: Placements;
  readonly linkChecks: LinkChecks;
  readonly deadLinks: DeadLinks;
  readonly completions: Completions;
  /** @param teachers IDs of people who are not counted */
  readCourseOverview(launch: Launch, teachers: readonly string[]): Promise<CourseOverview>;
  readonly platforms: LtiPlatforms;
  readonly pictures: PictureLinks;
  readonly keyring: Keyring;
  readonly tenants: Tenants;
  discoveryOf(tenantId: string): Discovery;
  browsingOf(tenantId: string): Browsing;
  /** Like `discoveryOf`, without counting: for searches that no person made. */
  trialOf(tenantId: string): Discovery;
  readonly insight: Pick<Insight, 'noteSearch' | 'noteLookedInto' | 'noteObject'>;
  readonly feedback: FeedbackService;
  readonly feedbackLimit: RateLimiter;
  readonly shelf: Shelf;
  readonly objects: Objects;
  readonly cachedObjects: Pick<ObjectLookup, 'find'>;
  readonly readObjectPage: ReadPageAt;
  readonly suggestionLimit: RateLimiter;
  readonly upstreams: Pick<TenantUpstreams, 'connectionOf'>;
  readonly people: People;
  readonly personData: Pick<PersonDataService, 'makeDataPath'>;
  readonly selections: Selections;
  readonly plans: Plans;
  readonly personSessions: Pick<PersonSessions, 'begin' | 'makeTicket'>;
  readonly assistants: Pick<Assistants, 'authorizations' | 'grants'>;
  /** Whether people of this tenant can have another shelf: in Slack, or with an assistant. */
  hasOtherShelves(tenantId: string): Promise<boolean>;
  readonly clock: Clock;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  onProblem(error: unknown): void;
}
