/** Asks the host, and tells it what is done. */

import type { Act, ChatState, Place, Seen } from './state.ts';
import type { Suggestion } from './surface.ts';
import { locale } from './words.ts';

export interface Outcome {
  /** Whether the app showed something at once; else it may do so later. */
  readonly isAnswered: boolean;
  /** Whether the app was told, and may show something later. */
  readonly isTold: boolean;
  readonly error: string | null;
  readonly state: ChatState;
}

/** `over` when the browser's cookie is gone; `changed` when what was acted in no longer exists; `busy` when too much is done at
 *  once. */
export type Refusal = 'over' | 'changed' | 'busy' | 'other';

const refusals: Readonly<Record<string, Refusal>> = {
  FORM_EXPIRED: 'over',
  PARAMETERS_INVALID: 'changed',
  RATE_LIMITED: 'busy',
};

/** What the host refused; its message says why in words. */
export class HostError extends Error {
  readonly refusal: Refusal;
  /** When it can be tried again; empty where the host does not say. */
  readonly seconds: string;
  constructor(message: string, refusal: Refusal, seconds: string) {
    super(message);
    this.refusal = refusal;
    this.seconds = seconds;
  }
}

const address = (path: string, query: Readonly<Record<string, string>> = {}) =>
  `/demo/slack/${path}?${new URLSearchParams({ lang: locale, ...query })}`;

export const tellAct = ({ userId, channelId }: Seen, act: Act): Promise<Outcome> =>
  post('acts', { userId, channelId, act });

export const askSuggestions = (
  { userId, channelId }: Seen,
  asked: {
    readonly place: Place;
    readonly blockId: string;
    readonly actionId: string;
    readonly typed: string;
  },
): Promise<readonly Suggestion[]> => post('suggestions', { userId, channelId, ...asked });

/** Null where nothing has changed since. */
export async function askState({ userId, channelId }: Seen, version: number): Promise<ChatState | null> {
  const query = { user: userId, channel: channelId, version: String(version) };
  const state = await read<ChatState>(await fetch(address('state', query)));
  return state.messages === undefined ? null : state;
}

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return read(await fetch(address(path), { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function read<T>(response: Response): Promise<T> {
  const data = (await response.json()) as T & { code?: string; message?: string };
  if (response.ok) return data;
  const seconds = response.headers.get('retry-after') ?? '';
  throw new HostError(data.message ?? response.statusText, refusals[data.code ?? ''] ?? 'other', seconds);
}
