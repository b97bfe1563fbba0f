import { ASSISTANT_SCOPE, type AssistantMetric, assistantTools, toAssistantMetric } from './assistants.ts';

/** The tenant that exists from the first start and cannot be deleted. */
export const DEFAULT_TENANT = 'default';

/** The service that answers for a tenant; a gateway has only the learning-object operations. */
export type Upstream =
  | { readonly kind: 'local' }
  | ({ readonly kind: 'direct'; readonly url: string } & EnteredAddresses)
  | ({ readonly kind: 'gateway'; readonly url: string; readonly marketplaceUrl: string } & EnteredAddresses);

interface EnteredAddresses {
  /** Addresses of owners and of the settings may be private if the operator allows that. */
  readonly isEnteredByOwner?: boolean;
}

export const upstreamKinds = ['local', 'direct', 'gateway'] as const satisfies readonly Upstream['kind'][];

/** Sets `isEnteredByOwner` if an owner enters the upstream, or others keep an owner's addresses. */
export function markEnteredUpstream(
  upstream: Upstream,
  { before, isByOwner }: { readonly before: Upstream; readonly isByOwner: boolean },
): Upstream {
  if (upstream.kind === 'local') return upstream;
  const { isEnteredByOwner: _, ...entered } = upstream;
  return isByOwner || keepsOwnersAddresses(entered, before) ? { ...entered, isEnteredByOwner: true } : entered;
}

function keepsOwnersAddresses(upstream: Upstream, before: Upstream): boolean {
  if (before.kind === 'local' || before.isEnteredByOwner !== true) return false;
  const addresses = listTenantAddresses(before);
  return listTenantAddresses(upstream).every((address) => addresses.includes(address));
}

function listTenantAddresses(upstream: Upstream): readonly string[] {
  if (upstream.kind === 'local') return [];
  return upstream.kind === 'direct' ? [upstream.url] : [upstream.url, upstream.marketplaceUrl];
}

export interface SearchDefaults {
  /** IDs; empty means every provider. */
  readonly providers: readonly string[];
  /** Two-letter code; null means any language. */
  readonly lang: string | null;
  /** Language whose objects come first in searches of any language; absent uses the person's. */
  readonly prefer?: string;
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

export interface FeedbackSettings {
  /** Replaces the author's address; null uses an address of this host. */
  readonly sharedEmail: string | null;
  /** Whose address is replaced before anything is stored. */
  readonly sharedEmailFor: 'nobody' | 'learners' | 'everyone';
  /** Days until removal, 1 to 3,650; null never removes feedback. */
  readonly retentionDays: number | null;
}

export const initialFeedbackSettings: FeedbackSettings = {
  sharedEmail: null,
  sharedEmailFor: 'learners',
  retentionDays: null,
};

export interface Branding {
  /** Replaces the tenant's name if not null. */
  readonly title: string | null;
  /** `#rrggbb`; null is the default of Skilldock. */
  readonly accent: string | null;
  /** Address of a picture, shown above the pages in a course; absent or null shows none. */
  readonly logo?: string | null;
}

/** When others find a suggested object: after approval by an administrator, or at once. */
export const suggestionModes = ['approval', 'at-once'] as const;
export type SuggestionMode = (typeof suggestionModes)[number];

/** `deleting`: the data of the tenant is being removed, and nothing may use it. */
export type TenantStatus = 'active' | 'disabled' | 'deleting';

/** Actions of people that are counted daily. */
const plainMetrics = ['searches', 'zero-result-searches', 'launches', 'embeds', 'slack-commands', 'feedback'] as const;
export type UsageMetric = (typeof plainMetrics)[number] | AssistantMetric;
export const usageMetrics: readonly UsageMetric[] = [...plainMetrics, ...assistantTools.map(toAssistantMetric)];

/** Scopes of an API key: the Competency API, search of learning objects, feedback, 1EdTech Resource
 *  Search, and all of these for an assistant. */
export const apiKeyScopes = ['competency', 'learning-objects', 'feedback', 'rs', ASSISTANT_SCOPE] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Default (`usual`) and maximum (`most`) of the quotas. */
export const apiKeyQuotas = {
  perSecond: { usual: 20, most: 1_000_000 },
  perDay: { usual: 50_000, most: 1_000_000_000 },
} as const;
