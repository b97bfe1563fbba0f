/** What an API key may do: the Competency API, the search of learning objects, the giving of feedback. */
export const apiKeyScopes = ['competency', 'learning-objects', 'feedback'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Requests that a key may be given, and what one gets that nobody chose. */
export const apiKeyQuotas = {
  perSecond: { usual: 20, most: 1_000_000 },
  perDay: { usual: 50_000, most: 1_000_000_000 },
} as const;
