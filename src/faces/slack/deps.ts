import type { Services } from '#compose/services';
import type { LearningObject } from '#domain/learning-object';
import type { ObjectPictures } from '#domain/picture';
import type { SlackApp } from '#domain/slack';
import type { SkillPages } from '#faces/object-view/skill-address';
import type { Clock } from '#ports/clock';
import type { NonceRepository, RateCounterRepository } from '#ports/store/store';
import type { InstalledSlack, SlackSource } from '#services/people/slack/recent-installs';

export interface SlackFaceDeps
  extends SkillPages,
    Pick<Services, 'tenants' | 'discoveryOf' | 'feedback' | 'shelf' | 'people' | 'plans' | 'personSessions'>,
    Pick<Services, 'savedStates' | 'personData' | 'slackInstallations' | 'slackInstallLinks' | 'slackFeedbackLimit'> {
  readonly usage: Pick<Services['usage'], 'count'>;
  readonly insight: Pick<Services['insight'], 'noteSearch'>;
  listConnections(): Promise<readonly SlackConnection[]>;
  /** Finds the connection that can be installed: that of this host; null if there is none. */
  findConnection(): Promise<SlackConnection | null>;
  /** `xapp-…` for Socket Mode; absent: HTTP. */
  readonly appToken?: string | undefined;
  /** Whether the app asks for the scopes to unfurl links. */
  readonly unfurlsLinks: boolean;
  /** Finds the object of the page `/objects/{id}`, if people of the tenant can find it. */
  findPublishedObject(tenantId: string, id: string): Promise<LearningObject | null>;
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
  /** Address of Slack's methods, with a slash at the end: `https://slack.com/api/`. */
  readonly apiUrl: string;
  /** Address of the page that asks for permission. */
  readonly authorizationUrl: string;
  findInstalled(source: SlackSource): Promise<InstalledSlack | null>;
  /** Erases the data of a workspace or organisation that has removed the app. */
  erase: Services['slackInstallations']['erase'];
}
