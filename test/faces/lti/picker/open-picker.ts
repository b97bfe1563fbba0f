/// <reference lib="dom" />
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import type { Browser, Frame, Page } from 'playwright-core';
import type { LearningObjectQuery } from '../../../../src/domain/learning-object-query.ts';
import type { Launch } from '../../../../src/domain/lti/launch.ts';
import type { SearchAnswer } from '../../../../src/ports/learning-service.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { type LtiOptions, type RunningLti, startLti } from '../start-lti.ts';
import { settings } from './choose.ts';

type Item = Readonly<Record<string, unknown>>;

/** The picker in a browser, with a platform that takes what it gives. */
export interface PickerHost extends RunningLti {
  open(browser: Browser, overrides?: Partial<Launch>, options?: PageOptions): Promise<Page>;
  /** Where the platform takes responses. */
  readonly returnUrl: string;
  /** Items of the responses that came back, by the order they came in. */
  readonly received: (readonly Item[])[];
}

interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

export async function startPicker(options: LtiOptions = {}): Promise<PickerHost> {
  const received: (readonly Item[])[] = [];
  const platform = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      if (request.method === 'POST') received.push(readItems(body));
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Course</title>');
    });
  });
  await new Promise<void>((done) => platform.listen(0, '127.0.0.1', done));
  const returnUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}/return`;
  const lti = await startLti(options);
  Object.assign(lti.services.local, { searchMany: search, searchProvider: search });
  return {
    ...lti,
    returnUrl,
    received,
    async open(browser, overrides = {}, { width = 770, height = 578, colorScheme = 'light' } = {}) {
      const deepLinking = overrides.deepLinking ?? settings;
      const more = overrides.deepLinking === null ? {} : { deepLinking: { ...deepLinking, returnUrl } };
      const launch = await lti.launchToken({ ...overrides, ...more });
      const page = await browser.newPage({ viewport: { width, height }, colorScheme });
      await page.goto(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`);
      return page;
    },
    async close() {
      platform.closeAllConnections();
      await new Promise((done) => platform.close(done));
      await lti.close();
    },
  };
}

function readItems(body: string): readonly Item[] {
  const claims = decodeJwt(new URLSearchParams(body).get('JWT') ?? '');
  return claims['https://purl.imsglobal.org/spec/lti-dl/claim/content_items'] as Item[];
}

/** Five objects for whatever is looked for, which nothing else finds. */
export async function search({ keywords, page, max }: LearningObjectQuery): Promise<SearchAnswer> {
  const words = keywords.toLowerCase();
  const { picture: _, ...object } = fullObject;
  const content = ['a', 'b', 'c', 'd', 'e'].map((letter) => ({
    ...object,
    title: `${keywords} ${letter}`,
    url: `https://example.org/${encodeURIComponent(words)}/${letter}`,
  }));
  const counted = { page, itemsPerPage: max, totalItems: content.length, hasMore: false };
  return { requestId: 'request-1', content, ...counted, quality: 'A00' };
}

/** Search as people do, and wait for the cards. */
export async function searchFor(page: Page, words: string): Promise<void> {
  await page.fill('#q', words);
  await page.press('#q', 'Enter');
  await page.waitForSelector(`#results [data-title^="${words} "]`);
}

/** What a screen reader has just been told. */
export const said = (page: Page): Promise<string | null> => page.textContent('#status');

export const titlesOf = (page: Page | Frame): Promise<string[]> =>
  page.$$eval('#tray [data-field=title]', (fields) => fields.map((field) => (field as HTMLInputElement).value));

export async function press(page: Page, keys: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await page.keyboard.press(keys);
}
