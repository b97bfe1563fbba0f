/** What an API key may do: the Competency API, the search of learning objects, the giving of feedback. */
export const apiKeyScopes = ['competency', 'learning-objects', 'feedback'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];
