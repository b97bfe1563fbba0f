import { z } from 'zod';
import type { Clock } from '#ports/clock';
import { type LineItem, type PlatformState, type Score, scoreKey } from './model.ts';
import { data, mediaTypeOf, onlyMethod, type PlatformReply, type PlatformRequest, refuse } from './request.ts';
import type { AccessTokens } from './token.ts';
import type { PlatformTraits } from './traits.ts';
import { mediaType, scope } from './vocabulary.ts';

const points = z.number().min(0);

/** Source: LTI AGS 2.0, §3.4. */
const scoreOnWire = z.object({
  userId: z.string().min(1),
  scoreGiven: points.optional(),
  scoreMaximum: points.gt(0).optional(),
  activityProgress: z.enum(['Initialized', 'Started', 'InProgress', 'Submitted', 'Completed']),
  gradingProgress: z.enum(['FullyGraded', 'Pending', 'PendingManual', 'Failed', 'NotReady']),
  comment: z.string().max(2000).optional(),
  timestamp: z.iso.datetime({ offset: true }),
});

/** Source: LTI AGS 2.0, §3.2. */
const lineItemOnWire = z.object({
  scoreMaximum: points.gt(0),
  label: z.string().min(1),
  resourceLinkId: z.string(),
  resourceId: z.string().optional(),
  tag: z.string().optional(),
});

/** Assignment and Grade Services: the line items of a course, and scores for them.
 *  Source: LTI AGS 2.0 (https://www.imsglobal.org/spec/lti-ags/v2p0/). */
export interface GradingDeps {
  readonly serviceUrl: string;
  readonly traits: PlatformTraits;
  readonly state: PlatformState;
  readonly clock: Clock;
  readonly tokens: AccessTokens;
}

export function createGrading({ serviceUrl, traits, state, clock, tokens }: GradingDeps) {
  const toWire = ({ id, courseId, linkId, label, scoreMaximum, resourceId, tag }: LineItem) => ({
    id: `${serviceUrl}/line-items/${courseId}/${id}${traits.lineItemQuery}`,
    label,
    scoreMaximum,
    ...(linkId !== null && { resourceLinkId: traits.resourceLinkIdOf({ id: linkId, courseId }) }),
    ...(resourceId !== null && { resourceId }),
    ...(tag !== null && { tag }),
  });

  /** The client's own line items only. */
  const isOf = (clientId: string) => (item: LineItem) =>
    item.linkId !== null && state.links.get(item.linkId)?.clientId === clientId;

  function readLineItems(request: PlatformRequest, courseId: string): PlatformReply {
    onlyMethod(request, 'GET');
    const clientId = tokens.admit(request, scope.lineItem, scope.lineItemReadonly);
    checkAccept(request, mediaType.lineItems);
    const { query } = request;
    const wanted = { resourceLinkId: query.get('resource_link_id'), resourceId: query.get('resource_id') };
    const items = [...state.lineItems.values()]
      .filter((item) => item.courseId === courseId)
      .filter(isOf(clientId))
      .map(toWire)
      .filter((item) => (wanted.resourceLinkId ?? item.resourceLinkId) === item.resourceLinkId)
      .filter((item) => (wanted.resourceId ?? item.resourceId) === item.resourceId);
    return data(items, mediaType.lineItems);
  }

  /** Of a link of the tool: where several have one resource link id, the one whose item is named,
   *  else the first. */
  function makeLineItem(request: PlatformRequest, courseId: string): PlatformReply {
    const clientId = tokens.admit(request, scope.lineItem);
    checkAccept(request, mediaType.lineItem);
    if (mediaTypeOf(request.headers['content-type']) !== mediaType.lineItem)
      refuse(`the content type must be ${mediaType.lineItem}`, { status: 415 });
    const { data: wanted, error } = lineItemOnWire.safeParse(parseJson(request.body));
    if (wanted === undefined) return refuse(`the line item is wrong: ${error.message}`);
    const { resourceLinkId, resourceId = null, tag = null, label, scoreMaximum } = wanted;
    const links = [...state.links.values()].filter(
      (each) =>
        each.courseId === courseId && each.clientId === clientId && traits.resourceLinkIdOf(each) === resourceLinkId,
    );
    const link = links.find(({ custom }) => Object.values(custom).includes(resourceId ?? '')) ?? links[0];
    if (link === undefined) return refuse('there is no such resource link', { status: 404 });
    const item = { id: state.takeId(), courseId, linkId: link.id, label, scoreMaximum, resourceId, tag };
    state.lineItems.set(item.id, item);
    for (const each of links) if (each.lineItemId === null) state.links.set(each.id, { ...each, lineItemId: item.id });
    return { kind: 'data', status: 201, mediaType: mediaType.lineItem, body: toWire(item) };
  }

  function getLineItem(clientId: string, courseId: string, id: string): LineItem {
    const found = state.lineItems.get(id);
    if (found === undefined || found.courseId !== courseId || !isOf(clientId)(found))
      return refuse('there is no such line item', { status: 404 });
    return found;
  }

  function readLineItem(request: PlatformRequest, courseId: string, id: string): PlatformReply {
    onlyMethod(request, 'GET');
    const clientId = tokens.admit(request, scope.lineItem, scope.lineItemReadonly);
    checkAccept(request, mediaType.lineItem);
    return data(toWire(getLineItem(clientId, courseId, id)), mediaType.lineItem);
  }

  function takeScore(request: PlatformRequest, courseId: string, id: string): PlatformReply {
    onlyMethod(request, 'POST');
    const clientId = tokens.admit(request, scope.score);
    if (mediaTypeOf(request.headers['content-type']) !== mediaType.score)
      refuse(`the content type must be ${mediaType.score}`, { status: 415 });
    const score = readScore(request.body, getLineItem(clientId, courseId, id));
    checkPerson(state, score);
    checkTime(state, score, clock);
    state.scores.set(scoreKey(score.lineItemId, score.userId), score);
    return { kind: 'data', status: 204, mediaType: 'application/json' };
  }

  function readResults(request: PlatformRequest, courseId: string, id: string): PlatformReply {
    onlyMethod(request, 'GET');
    const clientId = tokens.admit(request, scope.results);
    checkAccept(request, mediaType.results);
    const item = getLineItem(clientId, courseId, id);
    const wanted = request.query.get('user_id');
    const results = [...state.scores.values()]
      .filter(({ lineItemId, userId }) => lineItemId === item.id && (wanted ?? userId) === userId)
      .map(({ userId, scoreGiven, scoreMaximum }) => ({
        id: `${toWire(item).id}/results/${userId}`,
        scoreOf: toWire(item).id,
        userId,
        ...(scoreGiven !== null && { resultScore: scoreGiven, resultMaximum: scoreMaximum }),
      }));
    return data(results, mediaType.results);
  }

  return {
    /** Below `/line-items/<course>`. */
    answer(request: PlatformRequest, courseId: string, rest: readonly string[]): PlatformReply {
      checkQuery(request, traits);
      const [id, what] = rest;
      if (id === undefined)
        return request.method === 'POST' ? makeLineItem(request, courseId) : readLineItems(request, courseId);
      if (what === 'results') return readResults(request, courseId, id);
      return what === 'scores' ? takeScore(request, courseId, id) : readLineItem(request, courseId, id);
    },
  };
}

/** The query of an address belongs to it, wherever something is put before. */
function checkQuery({ query }: PlatformRequest, { lineItemQuery }: PlatformTraits): void {
  for (const [name, value] of new URLSearchParams(lineItemQuery)) {
    if (query.get(name) !== value) refuse(`the query ${lineItemQuery} of the address is missing`, { status: 404 });
  }
}

function checkAccept({ headers }: PlatformRequest, wanted: string): void {
  const accepted = (headers.accept ?? '').split(',').map(mediaTypeOf);
  if (!accepted.includes(wanted)) refuse(`accept must have ${wanted}`, { status: 406 });
}

function checkPerson({ people }: PlatformState, { userId }: Score): void {
  const person = people.get(userId);
  if (person === undefined || !person.isEnrolled) refuse(`${userId} does not take part in the course`);
  else if (person.role !== 'learner') refuse(`${userId} is not a learner and gets no score`);
}

const AHEAD_MS = 60_000;
const wholeSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

function checkTime({ scores }: PlatformState, { lineItemId, userId, timestamp }: Score, clock: Clock): void {
  if (timestamp.getTime() > clock.now().getTime() + AHEAD_MS) refuse('the timestamp is in the future');
  const before = scores.get(scoreKey(lineItemId, userId));
  if (before !== undefined && wholeSeconds(timestamp) <= wholeSeconds(before.timestamp))
    refuse('there is a score that is not older', { status: 409 });
}

function readScore(body: string, { id, scoreMaximum }: LineItem): Score {
  const parsed = scoreOnWire.safeParse(parseJson(body));
  if (!parsed.success)
    return refuse(
      `the score is wrong: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    );
  const { data } = parsed;
  if (data.scoreGiven !== undefined && data.scoreMaximum === undefined) refuse('scoreGiven needs scoreMaximum');
  if ((data.scoreGiven ?? 0) > (data.scoreMaximum ?? scoreMaximum)) refuse('scoreGiven is over scoreMaximum');
  return {
    lineItemId: id,
    userId: data.userId,
    scoreGiven: data.scoreGiven ?? null,
    scoreMaximum: data.scoreMaximum ?? null,
    activityProgress: data.activityProgress,
    gradingProgress: data.gradingProgress,
    comment: data.comment ?? null,
    timestamp: new Date(data.timestamp),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('the body is not JSON');
  }
}
