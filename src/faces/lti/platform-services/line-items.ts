import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createSharedCalls } from '#domain/async/shared-calls';
import { limitEntries } from '#domain/limit-entries';
import { AppError } from '#errors';
import type { LtiPlatforms } from '#ports/lti-platforms';
import type { LtiRegistrationRecord } from '#ports/store/store';
import type { HttpCall } from '../ltijs/http.ts';
import { chooseNextPage } from './platform-calls.ts';

type WantedLineItem = Parameters<LtiPlatforms['provideLineItem']>[1];

const TYPE = 'application/vnd.ims.lis.v2.lineitem+json';
const LIST_TYPE = 'application/vnd.ims.lis.v2.lineitemcontainer+json';
const FRESH_MS = 600_000;
const MAX_KEPT = 5_000;
/** Of a page. */
const MOST_LISTED = 1_000;
const MAX_PAGES = 20;

/** Addresses of line items, asked for once by all who want one within ten minutes: a class may
 *  finish at the same time. */
export function createRecentLineItems() {
  const kept = new LRUCache<string, string>({ ...limitEntries(MAX_KEPT), ttl: FRESH_MS });
  const calls = createSharedCalls<string>();
  return {
    async once(
      { id, version }: LtiRegistrationRecord,
      { container, resourceLinkId, resourceId }: WantedLineItem,
      provide: () => Promise<string>,
    ): Promise<string> {
      const key = JSON.stringify([id, version, container, resourceLinkId, resourceId]);
      const found = kept.get(key) ?? (await calls.wait(key, provide));
      kept.set(key, found);
      return found;
    },
  };
}

const lineItem = z.object({ id: z.string(), resourceId: z.string().nullish() });

/** Those of the link that are for the same placement, else a new one. Source: LTI AGS 2.0 §3.2
 *  (https://www.imsglobal.org/spec/lti-ags/v2p0#line-item-service) */
export async function findOrMakeLineItem(
  call: HttpCall,
  token: string,
  wanted: WantedLineItem,
): Promise<string> {
  return (await findLineItem(call, token, wanted)) ?? makeLineItem(call, token, wanted);
}

/** A platform may not filter, and may give few at a time. */
async function findLineItem(
  call: HttpCall,
  token: string,
  { container, resourceLinkId, resourceId }: WantedLineItem,
): Promise<string | null> {
  const headers = { authorization: `Bearer ${token}`, accept: LIST_TYPE };
  const first = new URL(container);
  first.searchParams.set('resource_link_id', resourceLinkId);
  first.searchParams.set('resource_id', resourceId);
  const seen = new Set<string>();
  let url: string | null = first.href;
  while (url !== null && seen.size < MAX_PAGES) {
    seen.add(url);
    const page: Awaited<ReturnType<HttpCall>> = await call(url, { headers });
    const listed = parse(page.text, z.array(z.unknown())).slice(0, MOST_LISTED);
    const items = listed.map((each) => lineItem.safeParse(each).data);
    const found = items.find((each) => each?.resourceId === resourceId);
    if (found) return found.id;
    url = chooseNextPage(/^<([^>]+)>/.exec(page.headers.link ?? '')?.[1], first.href, seen);
  }
  return null;
}

async function makeLineItem(
  call: HttpCall,
  token: string,
  { container, resourceLinkId, resourceId, label, points }: WantedLineItem,
): Promise<string> {
  const authorization = `Bearer ${token}`;
  const wanted = { scoreMaximum: points, label, resourceId, resourceLinkId, tag: 'completion' };
  const made = await call(container, {
    method: 'POST',
    headers: { authorization, accept: TYPE, 'content-type': TYPE },
    body: JSON.stringify(wanted),
  });
  return parse(made.text, lineItem).id;
}

function parse<T>(text: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    const detail = 'The platform answered something else than a line item.';
    throw new AppError('PLATFORM_UNREACHABLE', detail, {
      cause,
      data: { part: 'line-item', status: 200, detail },
    });
  }
}
