import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import type { LtiPlatforms } from '../../../ports/lti-platforms.ts';
import type { LtiRegistrationRecord } from '../../../ports/store/store.ts';
import { createSharedCalls } from '../../../services/answer-cache/shared-calls.ts';
import type { HttpCall } from '../ltijs/http.ts';

type WantedLineItem = Parameters<LtiPlatforms['provideLineItem']>[1];

const TYPE = 'application/vnd.ims.lis.v2.lineitem+json';
const LIST_TYPE = 'application/vnd.ims.lis.v2.lineitemcontainer+json';
const FRESH_MS = 600_000;
const MAX_KEPT = 5_000;
/** Of a list: platforms give those of the link alone. */
const MOST_LISTED = 1_000;

/** Addresses of line items, asked for once by all who want one within ten minutes: a class may finish at the same time. */
export function createRecentLineItems() {
  const kept = new LRUCache<string, string>({ max: MAX_KEPT, ttl: FRESH_MS });
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
  { container, resourceLinkId, resourceId, label, points }: WantedLineItem,
): Promise<string> {
  const authorization = `Bearer ${token}`;
  const filter = new URL(container);
  filter.searchParams.set('resource_link_id', resourceLinkId);
  filter.searchParams.set('resource_id', resourceId);
  const { text } = await call(filter.href, { headers: { authorization, accept: LIST_TYPE } });
  const listed = parse(text, z.array(z.unknown())).slice(0, MOST_LISTED);
  const found = listed
    .map((each) => lineItem.safeParse(each).data)
    .find((each) => each?.resourceId === resourceId);
  if (found) return found.id;
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
