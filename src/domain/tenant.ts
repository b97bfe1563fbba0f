import { ASSISTANT_SCOPE, type AssistantMetric, assistantTools, toAssistantMetric } from './assistants.ts';

/** Id of the tenant that is there from the first start and cannot be deleted. */
export const DEFAULT_TENANT = 'default';

/** Where a tenant's searches go: our own engine, a service called directly, or its learning-object operations through a
 *  marketplace gateway and the competency operations directly. Keys are kept apart, sealed. */
export type Upstream =
  | { readonly kind: 'local' }
  | ({ readonly kind: 'direct'; readonly url: string } & EnteredAddresses)
  | ({ readonly kind: 'gateway'; readonly url: string; readonly marketplaceUrl: string } & EnteredAddresses);

interface EnteredAddresses {
  /** Whether an owner of this host entered the addresses, or its settings name them: those may be private where the operator lets
   *  owners do that. Absent is false, also for what was saved before there was this mark. */
  readonly isEnteredByOwner?: boolean;
}

export const upstreamKinds = ['local', 'direct', 'gateway'] as const satisfies readonly Upstream['kind'][];

/** The upstream with the mark that is due to it, whatever mark it came with: what an owner enters has it, and what somebody else enters
 *  only where an owner had entered the same addresses. */
export function markEnteredUpstream(
  upstream: Upstream,
  { before, isByOwner }: { readonly before: Upstream; readonly isByOwner: boolean },
): Upstream {
  if (upstream.kind === 'local') return upstream;
  const { isEnteredByOwner: _, ...entered } = upstream;
  return isByOwner || hasOwnersAddresses(entered, before) ? { ...entered, isEnteredByOwner: true } : entered;
}

function hasOwnersAddresses(upstream: Upstream, before: Upstream): boolean {
  if (before.kind === 'local' || before.isEnteredByOwner !== true) return false;
  const known = listAddresses(before);
  return listAddresses(upstream).every((address) => known.includes(address));
}

function listAddresses(upstream: Upstream): readonly string[] {
  if (upstream.kind === 'local') return [];
  return upstream.kind === 'direct' ? [upstream.url] : [upstream.url, upstream.marketplaceUrl];
}

/** What a search of the tenant's people begins with. */
export interface SearchDefaults {
  /** Provider ids; empty means every provider. */
  readonly providers: readonly string[];
  /** Two-letter code; null means any language. */
  readonly lang: string | null;
  /** Two-letter code of what comes first where any language will do; absent means the person's own. */
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

/** When an object that an instructor suggests is found by others: once an administrator has said yes, or at once. */
export const suggestionModes = ['approval', 'at-once'] as const;
export type SuggestionMode = (typeof suggestionModes)[number];

/** `deleting` is between the wish to delete a tenant and the end of removing what it has; nothing may use it any more. */
export type TenantStatus = 'active' | 'disabled' | 'deleting';

/** What is counted of each tenant, by day: what people do, and each tool that assistants call. */
const plainMetrics = [
  'searches',
  'zero-result-searches',
  'launches',
  'embeds',
  'slack-commands',
  'feedback',
] as const;
export type UsageMetric = (typeof plainMetrics)[number] | AssistantMetric;
export const usageMetrics: readonly UsageMetric[] = [
  ...plainMetrics,
  ...assistantTools.map(toAssistantMetric),
];

/** What an API key may do: the Competency API, the search of learning objects, the giving of feedback, all of it for an assistant. */
export const apiKeyScopes = ['competency', 'learning-objects', 'feedback', ASSISTANT_SCOPE] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Limits of requests that a key may be given, and the default. */
export const apiKeyQuotas = {
  perSecond: { usual: 20, most: 1_000_000 },
  perDay: { usual: 50_000, most: 1_000_000_000 },
} as const;
