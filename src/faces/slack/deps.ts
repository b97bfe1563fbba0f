import type { LearningObject } from '#domain/learning-object';
import type { ObjectPictures } from '#domain/picture';
import type { SlackApp } from '#domain/slack';
import type { SkillPages } from '#faces/object-view/skill-address';
import type { Clock } from '#ports/clock';
import type { NonceRepository, RateCounterRepository } from '#ports/store/store';
import type { Insight } from '#services/host/insight';
import type { RateLimiter } from '#services/host/rate-limits';
import type { Usage } from '#services/host/usage';
import type { FeedbackService } from '#services/people/feedback/feedback';
import type { People } from '#services/people/people';
import type { PersonDataService } from '#services/people/person-data/person-data';
import type { PersonSessions } from '#services/people/person-sessions';
import type { Plans } from '#services/people/plans/plans';
import type { SavedStates } from '#services/people/saved-states';
import type { Shelf } from '#services/people/shelf';
import type { InstalledSlack, SlackSource } from '#services/people/slack/recent-installs';
import type { SlackInstallations } from '#services/people/slack/slack-installations';
import type { Discovery } from '#services/searching/discovery';
import type { TenantLinks } from '#services/tenants/tenant-links';
import type { Tenants } from '#services/tenants/tenants';

export interface SlackFaceDeps extends SkillPages {
  readonly installations: SlackInstallations;
  readonly installLinks: TenantLinks;
  listConnections(): Promise<readonly SlackConnection[]>;
  /** The one that can be installed: that of this host; null where there is none. */
  findConnection(): Promise<SlackConnection | null>;
  /** `xapp-…` for Socket Mode; absent: HTTP. */
  readonly appToken?: string | undefined;
  /** Whether the app asks for the scopes to unfurl links. */
  readonly unfurlsLinks: boolean;
  /** The object of the page `/objects/{id}`, if people of the tenant can find it. */
  findPublishedObject(tenantId: string, id: string): Promise<LearningObject | null>;
  readonly tenants: Tenants;
  discoveryOf(tenantId: string): Discovery;
  readonly feedback: FeedbackService;
  readonly feedbackLimit: RateLimiter;
  readonly shelf: Shelf;
  readonly people: People;
  readonly personData: Pick<PersonDataService, 'makeDataPath'>;
  readonly plans: Pick<Plans, 'list'>;
  readonly personSessions: Pick<PersonSessions, 'makeTicket'>;
  readonly savedStates: SavedStates;
  readonly usage: Pick<Usage, 'count'>;
  readonly insight: Pick<Insight, 'noteSearch'>;
  readonly nonces: NonceRepository;
  readonly rateCounters: RateCounterRepository;
  readonly clock: Clock;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly pictures: ObjectPictures;
  onProblem(error: unknown): void;
  /** Reports a failed request, with the reference that people are shown. */
  onFailure(failure: { readonly error: unknown; readonly reference: string; readonly listener: string }): void;
}

export interface SlackConnection extends SlackApp {
  /** Of the methods, with a slash at the end: `https://slack.com/api/`. */
  readonly apiUrl: string;
  /** Of the page that asks for permission. */
  readonly authorizationUrl: string;
  findInstalled(source: SlackSource): Promise<InstalledSlack | null>;
  /** Erases the data of a place that has removed the app, as `SlackInstallations.erase` does. */
  erase: SlackInstallations['erase'];
}
