import type { Clock } from '#ports/clock';
import type { Conversations } from './conversations.ts';
import type { Ack, Delivery } from './deliveries.ts';
import type { Grant, Grants } from './grants.ts';
import type { Payloads } from './payloads.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { Triggers } from './triggers.ts';
import type { Views } from './views.ts';
import type { ConnectedApp, SlackWorld } from './world.ts';

/** What a Slack is made of; its parts work on each other through this. */
export interface SlackParts {
  readonly world: SlackWorld;
  readonly clock: Clock;
  readonly conversations: Conversations;
  readonly views: Views;
  readonly grants: Grants;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly payloads: Payloads;
  /** Throws where none is connected. */
  app(): ConnectedApp;
  deliver(delivery: Delivery): Promise<Ack>;
  /** Told after the app was removed from a place. */
  onRevoked(grant: Grant, events: readonly ('app_uninstalled' | 'tokens_revoked')[]): void;
  /** Told of everything that is against Slack's rules. */
  onProblem(problem: string): void;
  /** Told when people see something else than before. */
  onChange(): void;
}
