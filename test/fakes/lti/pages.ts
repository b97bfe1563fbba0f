import type { LoginInitiation } from '../../../demo/platform/login.ts';
import type { ChoiceOutcome } from '../../../demo/platform/request.ts';

/** The platform's own pages: plain, and with inline scripts, as a platform is free to do. */

const toHtml = (text: string) =>
  text.replace(/[&<>"]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]!);

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${toHtml(title)}</title></head><body>${body}</body></html>`;

interface Form {
  readonly method: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly target?: string;
}

const formOf = ({ method, action, fields, target = '_self' }: Form) =>
  `<form id="form" method="${method}" action="${toHtml(action)}" target="${target}">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${toHtml(name)}" value="${toHtml(value)}">`)
    .join('')}</form><script>document.getElementById('form').submit()</script>`;

export const formPage = (action: string, fields: Form['fields']): string =>
  page('Going on', formOf({ method: 'post', action, fields }));

export const refusedPage = (reason: string): string =>
  page('Refused', `<h1>Refused</h1><p id="refused">${toHtml(reason)}</p>`);

export function chosenPage(outcome: ChoiceOutcome): string {
  const script = `parent.postMessage(${JSON.stringify({ subject: 'chosen', ...outcome }).replaceAll('<', '\\u003c')}, location.origin)`;
  return page('Chosen', `<p id="chosen">${outcome.linkIds.length} chosen</p><script>${script}</script>`);
}

export interface CoursePage {
  readonly title: string;
  readonly login: LoginInitiation;
  /** Whether the tool is shown in a frame; otherwise it takes the page's place. */
  readonly isFramed: boolean;
  /** `lti_storage_target` where there is Platform Storage. */
  readonly storageTarget: string | null;
  /** CSS pixels of the frame. */
  readonly size: { readonly width: number; readonly height: number };
}

/** A course with the tool in a frame, as platforms show it. Notes what the tool's window says. */
export function coursePage({ title, login, isFramed, storageTarget, size }: CoursePage): string {
  const { method, url: action, fields } = login;
  if (!isFramed) return page(title, formOf({ method: method.toLowerCase(), action, fields }));
  const frame = `<iframe name="tool" title="Tool" width="${size.width}" height="${size.height}" allow="fullscreen"></iframe>`;
  const isForwarded = storageTarget !== null && storageTarget !== '_parent';
  const storage = isForwarded ? `<iframe name="${storageTarget}" title="Storage" src="/storage" hidden></iframe>` : '';
  const scripts = `<script>${noting}</script>${storageTarget === null ? '' : `<script>${storageScript(isForwarded ? storageTarget : null, !isForwarded)}</script>`}`;
  // The frame that answers has to be there before the tool asks.
  const submit = formOf({ method: method.toLowerCase(), action, fields, target: 'tool' });
  return page(title, `<h1>${toHtml(title)}</h1>${scripts}${storage}${frame}${submit}`);
}

/** What a forwarding frame holds. */
export const storagePage = (): string => page('Storage', `<script>${storageScript(null, true)}</script>`);

/** For `registration` links that an administrator opens. */
export const registrationPage = (url: string): string =>
  page(
    'Register a tool',
    `<h1>Register a tool</h1><script>${noting}</script><iframe name="tool" title="Tool" width="900" height="700" src="${toHtml(url)}"></iframe>`,
  );

const noting = `
addEventListener('message', ({ data, origin }) => {
  const message = typeof data === 'string' ? data : JSON.stringify(data);
  if (!message.includes('lti.put_data') && !message.includes('lti.get_data'))
    fetch('/noted', { method: 'POST', body: JSON.stringify({ origin, message }) });
});`;

/** Platform Storage. Source: LTI postMessage Storage 0.1
 *  (https://www.imsglobal.org/spec/lti-pm-s/v0p1). */
const storageScript = (forwarder: string | null, isKeeper: boolean) => `
const kept = new Map();
const frame = ${JSON.stringify(forwarder)};
addEventListener('message', ({ data, origin, source }) => {
  const { subject, message_id, key, value } = data ?? {};
  const answer = (more) => source.postMessage({ subject: subject + '.response', message_id, ...more }, origin);
  const fail = (code, message) => answer({ error: { code, message } });
  if (subject === 'lti.capabilities') {
    const names = ['lti.capabilities', 'lti.put_data', 'lti.get_data'];
    return answer({ supported_messages: names.map((subject) => ({ subject, ...(frame !== null && { frame }) })) });
  }
  if (!${isKeeper} || (subject !== 'lti.put_data' && subject !== 'lti.get_data')) return;
  if (typeof message_id !== 'string' || message_id === '') return fail('bad_request', 'message_id is missing');
  if (typeof key !== 'string' || key === '') return fail('bad_request', 'key is missing');
  const name = origin + ' ' + key;
  if (subject === 'lti.get_data') return answer({ key, value: kept.get(name) ?? null });
  if (value === null || value === undefined) kept.delete(name);
  else if (typeof value !== 'string' || value.length > 4096) return fail('storage_exhaustion', 'the value is too long');
  else kept.set(name, value);
  answer({ key, value: value ?? null });
});`;
