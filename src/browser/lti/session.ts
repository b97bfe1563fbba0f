/** Requests to the host from the pages of a launch. `<meta name="launch">` has the token, and the
 *  element `[data-problem-failed]` the texts of failures: `data-problem-offline` if the host is
 *  unreachable, `data-problem-over` if the launch is over, `data-problem-failed` for everything
 *  else. The requested part itself explains problems that the reader can solve. */

import { createParagraph, parseHtml } from '../dom.ts';

type Fields = Readonly<Record<string, string>> | URLSearchParams | FormData;

/** Event of the document after cards were added, so that chosen ones can be marked. */
export const CARDS_SHOWN = 'cards-shown';

const PATH = '/lti';
const token = document.querySelector<HTMLMetaElement>('meta[name="launch"]')?.content ?? '';
const words = document.querySelector<HTMLElement>('[data-problem-failed]')?.dataset;

/** Makes an error whose message is for the reader. */
const createSessionProblem = (message: string | undefined): Error =>
  Object.assign(new Error(message ?? ''), { name: 'RequestProblem' });

/** Fetches HTML. Rejects with a message for the reader (`toSessionMessage`), or as `signal` says.
 *  @param path below `/lti`, as `/picker/results` */
export async function fetchSessionFragment(path: string, query: Fields = {}, signal?: AbortSignal): Promise<string> {
  return (await requestSession(addSessionQuery(path, query), {}, signal)).text();
}

/** Rejects as `fetchSessionFragment`. */
export async function fetchSessionJson<T>(path: string, query: Fields = {}, signal?: AbortSignal): Promise<T> {
  return (await requestSession(addSessionQuery(path, query), {}, signal)).json() as Promise<T>;
}

/** Rejects as `fetchSessionFragment`. */
export const postSessionForm = (path: string, fields: Fields, signal?: AbortSignal): Promise<Response> =>
  requestSession(path, { method: 'POST', body: toSessionParams(fields) }, signal);

/** Sends fields while the page is being left. */
export function sendSessionBeacon(path: string, fields: Fields = {}): void {
  const form = toSessionParams(fields);
  form.set('launch', token);
  navigator.sendBeacon(PATH + path, form);
}

async function requestSession(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(PATH + path, { ...init, headers, ...(signal && { signal }) }).catch((error: unknown) => {
    throw signal?.aborted ? error : createSessionProblem(words?.problemOffline);
  });
  if (response.status === 401) throw createSessionProblem(words?.problemOver ?? words?.problemFailed);
  if (!response.ok) throw createSessionProblem(words?.problemFailed);
  return response;
}

function addSessionQuery(path: string, query: Fields): string {
  const text = toSessionParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Makes parameters without files, and without empty fields, so that addresses stay short. */
export function toSessionParams(fields: Fields): URLSearchParams {
  const isIterable = fields instanceof FormData || fields instanceof URLSearchParams;
  const entries = isIterable ? [...fields] : Object.entries(fields);
  return new URLSearchParams(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
}

/** Shows a fragment and announces its line marked `data-announce` to screen readers. */
export function showSessionFragment(place: Element, html: string): void {
  place.replaceChildren(...parseHtml(html).childNodes);
  document.dispatchEvent(new CustomEvent(CARDS_SHOWN));
  const line = place.querySelector('[data-announce]')?.textContent?.trim();
  if (line) announceStatus(line);
}

/** @returns the text for the reader; null for an aborted request, as nobody waits for it */
export function toSessionMessage(error: unknown): string | null {
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  const isForReader = error instanceof Error && error.name === 'RequestProblem' && error.message !== '';
  return isForReader ? error.message : (words?.problemFailed ?? '');
}

export function showSessionProblem(place: Element, error: unknown): void {
  const message = toSessionMessage(error);
  if (message === null) return;
  place.replaceChildren(createParagraph('problem', message));
  announceStatus(message);
}

/** Announces a text: in the open dialog, beside which nothing is read out, or in `#status`. */
export function announceStatus(text: string): void {
  const status = document.querySelector('dialog[open] [role="status"]') ?? document.querySelector('#status');
  if (status !== null) status.textContent = text;
}
