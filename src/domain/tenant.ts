/** Id of the tenant that is there from the first start and cannot be deleted. */
export const DEFAULT_TENANT = 'default';

/** Where a tenant's searches go: our own engine, a service called directly, or its learning-object operations through a
 *  marketplace gateway and the competency operations directly. Keys are kept apart, sealed. */
export type Upstream =
  | { readonly kind: 'local' }
  | { readonly kind: 'direct'; readonly url: string }
  | { readonly kind: 'gateway'; readonly url: string; readonly marketplaceUrl: string };

export const upstreamKinds = ['local', 'direct', 'gateway'] as const satisfies readonly Upstream['kind'][];

/** What a search of the tenant's people begins with. */
export interface SearchDefaults {
  /** Provider ids; empty means every provider. */
  readonly providers: readonly string[];
  /** Two-letter code; null means any language. */
  readonly lang: string | null;
  readonly model: 'strict' | 'extended';
  readonly match: 'best-effort' | 'strict';
  /** 1 to 20. */
  readonly itemsPerPage: number;
  readonly freeOnly: boolean;
}

export const initialDefaults: SearchDefaults = {
  providers: [],
  lang: null,
  model: 'extended',
  match: 'best-effort',
  itemsPerPage: 10,
  freeOnly: false,
};

/** How feedback of the tenant's people is treated. */
export interface FeedbackSettings {
  /** Sent as the author's address in place of a person's own; null takes one of this host. */
  readonly sharedEmail: string | null;
  /** Whose address is replaced, before anything is stored. */
  readonly sharedEmailFor: 'nobody' | 'learners' | 'everyone';
  /** Days after which feedback is removed, 1 to 3,650; null keeps it. */
  readonly retentionDays: number | null;
}

export const initialFeedbackSettings: FeedbackSettings = {
  sharedEmail: null,
  sharedEmailFor: 'learners',
  retentionDays: null,
};

/** How the tenant's pages look to its people. */
export interface Branding {
  /** Shown instead of the tenant's name; null shows that. */
  readonly title: string | null;
  /** `#rrggbb`; null takes Skilldock's own. */
  readonly accent: string | null;
}

/** `deleting` is between the wish to delete a tenant and the end of removing what it has; nothing may use it any more. */
export type TenantStatus = 'active' | 'disabled' | 'deleting';

/** What is counted of each tenant, by day. */
export const usageMetrics = [
  'searches',
  'zero-result-searches',
  'launches',
  'embeds',
  'slack-commands',
  'feedback',
] as const;
export type UsageMetric = (typeof usageMetrics)[number];

/** What an API key may do: the Competency API, the search of learning objects, the giving of feedback. */
export const apiKeyScopes = ['competency', 'learning-objects', 'feedback'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Limits of requests that a key may be given, and the default. */
export const apiKeyQuotas = {
  perSecond: { usual: 20, most: 1_000_000 },
  perDay: { usual: 50_000, most: 1_000_000_000 },
} as const;
