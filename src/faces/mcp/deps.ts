import type { ConceptCatalog } from '#ports/object-catalog';
import type { ShelfOwner, TenantRecord } from '#ports/store/store';
import type { Insight } from '#services/host/insight';
import type { RateLimiter } from '#services/host/rate-limits';
import type { Usage } from '#services/host/usage';
import type { FeedbackService } from '#services/people/feedback/feedback';
import type { Plans } from '#services/people/plans/plans';
import type { Selections } from '#services/people/selections';
import type { Shelf } from '#services/people/shelf';
import type { Discovery } from '#services/searching/discovery';
import type { ObjectLookup } from '#services/searching/object-lookup';
import type { Assistants } from '#services/tenants/assistants/assistants';
import type { Locale, Translate } from '../words/i18n.ts';

export interface McpServerDeps {
  discoveryOf(tenantId: string): Discovery;
  readonly cachedObjects: ObjectLookup;
  readonly shelf: Shelf;
  readonly selections: Selections;
  readonly plans: Plans;
  readonly feedback: Pick<FeedbackService, 'giveFeedback'>;
  readonly assistantFeedbackLimit: RateLimiter;
  readonly insight: Pick<Insight, 'noteSearch'>;
  readonly usage: Pick<Usage, 'count'>;
  readonly concepts: ConceptCatalog;
  readonly publicUrl: string;
  readonly version: string;
  onProblem(error: unknown): void;
}

export interface McpFaceDeps extends McpServerDeps {
  readonly assistants: Assistants;
  readonly assistantAttempts: RateLimiter;
}

export interface McpReader {
  readonly tenant: TenantRecord;
  /** Null for an API key. */
  readonly person: ShelfOwner | null;
  readonly locale: Locale;
  readonly t: Translate;
}
