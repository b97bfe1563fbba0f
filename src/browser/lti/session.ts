/** What the scripts of a launch's pages need to talk to the host: its token, parts of pages, and
 *  words for what went wrong. The page has the token in `<meta name="launch">`, and the words, in
 *  the reader's language, on the element `[data-problem-failed]`: `data-problem-offline` where the
 *  host cannot be reached, `data-problem-over` where the launch is over, `data-problem-failed` for
 *  everything else. What the reader can put right is said by the part that was asked for. */

import { createParagraph, parseHtml } from '../dom.ts';

type Fields = Readonly<Record<string, string>> | URLSearchParams | FormData;

/** Event of the document when cards have come into the page, so that chosen ones can be marked. */
export const CARDS_SHOWN = 'cards-shown';

const PATH = '/lti';

const token = document.querySelector<HTMLMetaElement>('meta[name="launch"]')?.content ?? '';
const words = document.querySelector<HTMLElement>('[data-problem-failed]')?.dataset;

/** An error whose message is for the reader. */
function createProblem(message: string | undefined): Error {
  return Object.assign(new Error(message ?? ''), { name: 'RequestProblem' });
}

/** A part of a page. Rejects with what went wrong, in the reader's words (see `toMessage`), or as
 *  `signal` says.
 *  @param path below `/lti`, as `/picker/results` */
export async function fetchSessionFragment(path: string, query: Fields = {}, signal?: AbortSignal): Promise<string> {
  return (await request(withQuery(path, query), {}, signal)).text();
}

export async function fetchSessionJson<T>(path: string, query: Fields = {}, signal?: AbortSignal): Promise<T> {
  return (await request(withQuery(path, query), {}, signal)).json() as Promise<T>;
}

/** Send fields; the answer is a part of a page, or whatever the route gives. Rejects as
 *  `fetchSessionFragment`. */
export function postSessionForm(path: string, fields: Fields, signal?: AbortSignal): Promise<Response> {
  return request(path, { method: 'POST', body: toSessionParams(fields) }, signal);
}

/** Sends a form while the page is left. */
export function sendSessionBeacon(path: string, fields: Fields = {}): void {
  const form = toSessionParams(fields);
  form.set('launch', token);
  navigator.sendBeacon(PATH + path, form);
}

async function request(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(PATH + path, { ...init, headers, ...(signal && { signal }) }).catch((error: unknown) => {
    throw signal?.aborted ? error : createProblem(words?.problemOffline);
  });
  if (response.status === 401) throw createProblem(words?.problemOver ?? words?.problemFailed);
  if (!response.ok) throw createProblem(words?.problemFailed);
  return response;
}

function withQuery(path: string, query: Fields): string {
  const text = toSessionParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Fields as parameters, without empty ones, so that addresses stay short, and without files. */
export function toSessionParams(fields: Fields): URLSearchParams {
  const isIterable = fields instanceof FormData || fields instanceof URLSearchParams;
  const entries = isIterable ? [...fields] : Object.entries(fields);
  return new URLSearchParams(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
}

/** Put a part into its place, and announce its line marked `data-announce` to screen readers. */
export function showFragment(place: Element, html: string): void {
  place.replaceChildren(...parseHtml(html).childNodes);
  document.dispatchEvent(new CustomEvent(CARDS_SHOWN));
  const line = place.querySelector('[data-announce]')?.textContent?.trim();
  if (line) announce(line);
}

/** What to tell the reader about an error; null where nobody is waiting any more. */
export function toMessage(error: unknown): string | null {
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  const isForReader = error instanceof Error && error.name === 'RequestProblem' && error.message !== '';
  return isForReader ? error.message : (words?.problemFailed ?? '');
}

/** Say in a place of the page what went wrong, and announce it. */
export function showProblem(place: Element, error: unknown): void {
  const message = toMessage(error);
  if (message === null) return;
  place.replaceChildren(createParagraph('problem', message));
  announce(message);
}

/** Say something where a screen reader listens: in the open dialog, as nothing outside it is heard,
 *  or in `#status`. */
export function announce(text: string): void {
  const status = document.querySelector('dialog[open] [role="status"]') ?? document.querySelector('#status');
  if (status !== null) status.textContent = text;
}
