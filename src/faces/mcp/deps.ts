import type { ConceptCatalog } from '../../ports/concept-catalog.ts';
import type { ShelfOwner, TenantRecord } from '../../ports/store/store.ts';
import type { Assistants } from '../../services/assistants/assistants.ts';
import type { Discovery } from '../../services/discovery/discovery.ts';
import type { FeedbackService } from '../../services/feedback/feedback.ts';
import type { Insight } from '../../services/insight/insight.ts';
import type { KnownObjects } from '../../services/known-objects.ts';
import type { RateLimiter } from '../../services/rate-limits.ts';
import type { Selections } from '../../services/selections.ts';
import type { Shelf } from '../../services/shelf.ts';
import type { Usage } from '../../services/usage.ts';
import type { Translate } from '../words/i18n.ts';

/** What the tools, resources and prompts are made of. */
export interface McpServerDeps {
  discoveryOf(tenantId: string): Discovery;
  readonly knownObjects: KnownObjects;
  readonly shelf: Shelf;
  readonly selections: Selections;
  readonly feedback: Pick<FeedbackService, 'giveFeedback'>;
  /** For each person. */
  readonly assistantFeedbackLimit: RateLimiter;
  readonly insight: Pick<Insight, 'noteSearch'>;
  readonly usage: Pick<Usage, 'count'>;
  readonly concepts: ConceptCatalog;
  /** Where people reach the host, without a slash at the end. */
  readonly publicUrl: string;
  readonly version: string;
  /** Told of what went wrong without being the caller's fault. */
  onProblem(error: unknown): void;
}

export interface McpFaceDeps extends McpServerDeps {
  readonly assistants: Assistants;
  /** Of everything that strangers may ask the authorization server, by address. */
  readonly assistantAttempts: RateLimiter;
}

/** Whose assistant asks, and in which language it is answered. */
export interface McpReader {
  readonly tenant: TenantRecord;
  /** Null for the programs of an API key. */
  readonly person: ShelfOwner | null;
  readonly locale: 'en' | 'fr';
  readonly t: Translate;
}
