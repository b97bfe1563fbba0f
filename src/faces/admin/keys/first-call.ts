import type { ApiKeyScope } from '../../../domain/api-key.ts';

export interface FirstCall {
  readonly command: string;
  /** False where something has to be filled in: a feedback is about what a search has found. */
  readonly isReady: boolean;
}

/** A first call to copy, for the scope of the key that shows most.
 *  @param publicUrl as `config.ts` lets it be: nothing in it that a shell would read */
export function firstCall(publicUrl: string, key: string, scopes: readonly ApiKeyScope[]): FirstCall {
  const call = (path: string) => `curl '${publicUrl}${path}' -H 'x-api-key: ${key}'`;
  if (scopes.includes('learning-objects'))
    return { command: call('/learningobject/v2/search?keywords=python&lang=en'), isReady: true };
  if (scopes.includes('competency'))
    return { command: call('/domcomp/v1/similar?keywords=data%20analyst&lang=en'), isReady: true };
  const body = JSON.stringify({
    url: 'ADDRESS OF THE OBJECT',
    request_id: 'ID OF ITS SEARCH',
    email: 'ada@example.org',
    source: 'https://example.org/',
  });
  const command = `${call('/learningobject/v2/feedback')} -H 'content-type: application/json' -d '${body}'`;
  return { command, isReady: false };
}
