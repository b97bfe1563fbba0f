import type { Services } from '#compose/services';
import type { ConceptCatalog } from '#ports/object-catalog';
import type { ShelfOwner, TenantRecord } from '#ports/store/store';
import type { Locale, Translate } from '../words/i18n.ts';

export interface McpServerDeps
  extends Pick<Services, 'discoveryOf' | 'cachedObjects' | 'shelf' | 'selections' | 'plans' | 'feedback'>,
    Pick<Services, 'assistantFeedbackLimit'> {
  readonly insight: Pick<Services['insight'], 'noteSearch'>;
  readonly usage: Pick<Services['usage'], 'count'>;
  readonly concepts: ConceptCatalog;
  readonly publicUrl: string;
  readonly version: string;
  onProblem(error: unknown): void;
}

export type McpFaceDeps = McpServerDeps & Pick<Services, 'assistants' | 'assistantAttempts'>;

export interface McpReader {
  readonly tenant: TenantRecord;
  /** Null for an API key. */
  readonly person: ShelfOwner | null;
  readonly locale: Locale;
  readonly t: Translate;
}
