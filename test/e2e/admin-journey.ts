import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { HostProcess } from '../helpers/host-process.ts';

/** What a stranger does with a new host, by what can be read on its pages; it needs no JavaScript. */

export const owner = { name: 'Ada', password: 'nine boats under paper' } as const;

/** The address that the host prints when it starts for the first time. */
export function setupLinkOf(host: HostProcess): string {
  const link = /Set-up link: (\S+)/.exec(host.output())?.[1];
  if (link === undefined) throw new Error(`The host printed no set-up link: ${host.output()}`);
  return link;
}

export async function setUp(page: Page, host: HostProcess): Promise<void> {
  await page.goto(setupLinkOf(host));
  await page.getByLabel('Name', { exact: true }).fill(owner.name);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByLabel('Repeat the password').fill(owner.password);
  await page.getByRole('button', { name: 'Create owner account' }).click();
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
}

export async function createTenant(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Tenants');
  await page.getByRole('link', { name: 'New tenant' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create tenant' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** From a page of the tenant. */
export async function saveUpstream(page: Page, url: string, apiKey: string): Promise<void> {
  await page.getByRole('link', { name: 'Upstream', exact: true }).click();
  await page.getByRole('radio', { name: /called directly/ }).check();
  await page.getByLabel('Address of the service').fill(url);
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.notice[role="status"]').waitFor();
  // Of what is saved, only the end is ever shown.
  expect(await page.content()).not.toContain(apiKey);
  expect(await page.locator('main').textContent()).toContain(`…${apiKey.slice(-4)}`);
}

/** Test the saved connection. */
export async function testUpstream(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByRole('heading', { name: 'The connection works' }).waitFor();
}

/** The new key, as it is shown once. */
export async function createApiKey(page: Page, tenant: string): Promise<string> {
  await chooseInMenu(page, 'API keys');
  await page
    .getByRole('link', { name: /New key|Create the first key/ })
    .first()
    .click();
  await page.getByRole('main').getByLabel('Tenant', { exact: true }).selectOption({ label: tenant });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Course finder');
  await page.getByRole('button', { name: 'Create the key' }).click();
  return (await page.locator('#key').textContent())!;
}

/** Feedback of the default tenant carries the addresses of those who give it, from now on. */
export async function keepAddresses(page: Page): Promise<void> {
  await chooseInMenu(page, 'Tenants');
  await page.getByRole('link', { name: 'Default institution' }).first().click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Feedback' }).click();
  await page.getByLabel('None', { exact: true }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Feedback settings saved.').waitFor();
}

/** From the list of feedback, as whoever asked to be forgotten would have it. */
export async function askToErase(page: Page, email: string): Promise<void> {
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Find', exact: true }).click();
  await page.getByLabel('Name, e-mail address').fill(email);
  await main.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByRole('button', { name: 'Show data' }).click();
  await page.getByRole('heading', { level: 1, name: /^Data of/ }).waitFor();
  await page.getByRole('textbox', { name: 'DELETE' }).fill('DELETE');
}

export async function signOut(page: Page, host: HostProcess): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('You have signed out.').waitFor();
  await page.goto(`${host.url}/admin/keys`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

export async function signIn(page: Page, host: HostProcess): Promise<void> {
  await page.goto(`${host.url}/admin`);
  await page.getByLabel('Name', { exact: true }).fill(owner.name);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

export async function chooseInMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true }).click();
}

/** Answer of the HTTP API to a call with the key. */
export function callApi(host: HostProcess, key: string): Promise<Response> {
  return fetch(`${host.url}/domcomp/v1/similar?keywords=python&lang=en`, { headers: { 'x-api-key': key } });
}

/** On the page that begins an import. */
export async function chooseFile(page: Page, name: string, content: string): Promise<void> {
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

/** On the page that begins an import. */
export async function chooseAddress(page: Page, kind: string, address: string): Promise<void> {
  await page.getByRole('radio', { name: kind }).check();
  await page.getByLabel('Address', { exact: true }).fill(address);
}
