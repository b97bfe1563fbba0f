import { type AdminBrowser, createAdminBrowser } from '../admin/admin-browser.ts';
import type { Assistant } from './assistant.ts';

export const ADMIN_PASSWORD = 'mostly-harmless-otters-42';

/** Signs the owner of a host in. */
export async function signIn(url: string): Promise<AdminBrowser> {
  const browser = createAdminBrowser(url);
  const answer = await browser.post('/sign-in', { name: 'admin', password: ADMIN_PASSWORD });
  if (answer.status !== 303) throw new Error(`The sign-in answered with ${answer.status}`);
  return browser;
}

/** Follows the assistant's request to the page that asks, and answers it. @returns where the browser is sent */
export async function answerRequest(
  browser: AdminBrowser,
  asked: URL,
  { answer = 'yes', tenant = 'default' }: { answer?: 'yes' | 'no'; tenant?: string } = {},
): Promise<string> {
  const begun = await fetch(asked, { redirect: 'manual' });
  const place = begun.headers.get('location') ?? '';
  if (!place.startsWith('/admin/connect/')) return place;
  await browser.page(place.slice('/admin'.length));
  const page = await (await browser.post(place.slice('/admin'.length), { answer, tenant })).text();
  const address = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page)?.[1];
  if (address === undefined) throw new Error('The page leads nowhere');
  return address.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
}

/** Lets an assistant in, for a tenant. */
export async function letIn(browser: AdminBrowser, assistant: Assistant, tenant = 'default'): Promise<void> {
  await assistant.enter(await answerRequest(browser, assistant.asked(), { tenant }));
}
