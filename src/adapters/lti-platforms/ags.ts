import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createSharedCalls } from '#domain/async/shared-calls';
import { limitEntries } from '#domain/limit-entries';
import { LINE_ITEM_SCOPE, RESULT_SCOPE, SCORE_SCOPE } from '#domain/lti/launch';
import { getProductTraits } from '#domain/lti/products';
import { parseJson } from '#domain/text';
import { AppError, hasErrorCode } from '#errors';
import type { LtiPlatforms, PlatformScore, WantedLineItem } from '#ports/lti-platforms';
import type { LtiRegistrationRecord } from '#ports/store/store';
import { type AccessTokens, withAccessToken } from './access-token.ts';
import { sendLtijsScore } from './ltijs.ts';
import { findNextPlatformUrl, listPlatformPages, type PlatformAccess } from './platform-call.ts';

const LINE_ITEM_TYPE = 'application/vnd.ims.lis.v2.lineitem+json';
const LINE_ITEMS_TYPE = 'application/vnd.ims.lis.v2.lineitemcontainer+json';
const RESULTS_TYPE = 'application/vnd.ims.lis.v2.resultcontainer+json';
const CACHE_MS = 600_000;
const MAX_CACHED = 5_000;
const MAX_PAGES = 20;
const MAX_ITEMS_ON_PAGE = 1_000;

/** Calls Assignment and Grade Services 2.0, https://www.imsglobal.org/spec/lti-ags/v2p0 */
export function createAgs(
  tokens: AccessTokens,
): Pick<LtiPlatforms, 'submitScore' | 'isResultGone' | 'provideLineItem'> {
  // All learners of a course may finish at the same time.
  const cached = new LRUCache<string, string>({ ...limitEntries(MAX_CACHED), ttl: CACHE_MS });
  const calls = createSharedCalls<string>();
  return {
    submitScore: (registration, score) =>
      withAccessToken(tokens, { registration, part: 'score', scope: SCORE_SCOPE }, (access) =>
        sendLtijsScore(access, { ...score, score: toAgsScore(registration, score) }),
      ),
    isResultGone: (registration, result) =>
      withAccessToken(tokens, { registration, part: 'result', scope: RESULT_SCOPE }, (access) =>
        isAgsResultGone(access, result),
      ),
    async provideLineItem(registration, request) {
      const { container, resourceLinkId, resourceId, launched } = request;
      const { id, version } = registration;
      const key = JSON.stringify([id, version, container, resourceLinkId, resourceId, launched]);
      const service = { registration, part: 'line-item', scope: LINE_ITEM_SCOPE } as const;
      const provide = () =>
        withAccessToken(
          tokens,
          service,
          async (access) => (await findAgsLineItem(access, request)) ?? createAgsLineItem(access, request),
        ).catch((error: unknown) => {
          if (launched !== null && hasErrorCode(error, 'PLATFORM_REFUSED')) return launched;
          throw error;
        });
      const lineItem = cached.get(key) ?? (await calls.wait(key, provide));
      cached.set(key, lineItem);
      return lineItem;
    },
  };
}

/** Makes a score of §3.4, without its time. */
function toAgsScore({ product }: LtiRegistrationRecord, { userId, points }: PlatformScore): object {
  return {
    ...getProductTraits(product).scoreExtras,
    userId,
    scoreGiven: points,
    scoreMaximum: points,
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
  };
}

const resultAnswer = z.object({ userId: z.string(), resultScore: z.number().nullish() });

async function isAgsResultGone(
  { call, token }: PlatformAccess,
  { lineItem, userId }: Pick<PlatformScore, 'lineItem' | 'userId'>,
): Promise<boolean> {
  const url = new URL(lineItem);
  url.pathname += '/results';
  url.searchParams.set('user_id', userId);
  const answer = await call(url.href, { headers: { authorization: `Bearer ${token}`, accept: RESULTS_TYPE } });
  const results = parseAgsAnswer(answer.text, z.array(resultAnswer), 'result');
  const result = results.find((each) => each.userId === userId);
  if (result !== undefined) return (result.resultScore ?? null) === null;
  // A platform may ignore the filter of the query.
  return results.length === 0 && findNextPlatformUrl(answer) === null;
}

const lineItemAnswer = z.object({ id: z.string(), resourceId: z.string().nullish() });

/** Finds the line item of the link for the same placement (§3.2), else that of the launch unless it
 *  is for another placement. A platform may ignore the filters of the query. */
async function findAgsLineItem(
  { call, token }: PlatformAccess,
  { container, resourceLinkId, resourceId, launched }: WantedLineItem,
): Promise<string | null> {
  const headers = { authorization: `Bearer ${token}`, accept: LINE_ITEMS_TYPE };
  const url = new URL(container);
  url.searchParams.set('resource_link_id', resourceLinkId);
  if (launched === null) url.searchParams.set('resource_id', resourceId);
  let isOfOtherPlacement = false;
  const fetchPage = async (pageUrl: string) => {
    const answer = await call(pageUrl, { headers });
    const items = parseAgsAnswer(answer.text, z.array(z.unknown()), 'line-item').slice(0, MAX_ITEMS_ON_PAGE);
    return { items, nextUrl: findNextPlatformUrl(answer) };
  };
  for await (const { items } of listPlatformPages(url.href, fetchPage, { maxPages: MAX_PAGES })) {
    const lineItems = items.map((item) => lineItemAnswer.safeParse(item).data);
    const match = lineItems.find((item) => item?.resourceId === resourceId);
    if (match) return match.id;
    isOfOtherPlacement ||= lineItems.some((item) => item?.id === launched && item?.resourceId);
  }
  return isOfOtherPlacement ? null : launched;
}

async function createAgsLineItem({ call, token }: PlatformAccess, item: WantedLineItem): Promise<string> {
  const { container, resourceLinkId, resourceId, label, points } = item;
  const lineItem = { scoreMaximum: points, label, resourceId, resourceLinkId, tag: 'completion' };
  const { text } = await call(container, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: LINE_ITEM_TYPE, 'content-type': LINE_ITEM_TYPE },
    body: JSON.stringify(lineItem),
  });
  return parseAgsAnswer(text, lineItemAnswer, 'line-item').id;
}

function parseAgsAnswer<T>(text: string, schema: z.ZodType<T>, part: 'line-item' | 'result'): T {
  const { data, error: cause } = schema.safeParse(parseJson(text));
  if (cause === undefined) return data;
  const detail = `The platform did not answer with a ${part === 'result' ? 'list of results' : 'line item'}.`;
  throw new AppError('PLATFORM_UNREACHABLE', detail, { cause, data: { part, status: 200, detail } });
}
