import type { Clock } from '#ports/clock';
import { createDeepLinking, createDeepLinkingSessions } from './deep-linking.ts';
import { createGrading } from './grading.ts';
import { createLogins, type LoginInitiation } from './login.ts';
import { createMemberships } from './memberships.ts';
import { createMessages } from './message.ts';
import type { MessageRequest, PlatformState, Tool } from './model.ts';
import { type CopyNotice, createNotices } from './notices.ts';
import type { PlatformKeys } from './platform-keys.ts';
import {
  data,
  type Endpoint,
  type PlatformReply,
  type PlatformRequest,
  type Refusal,
  refuse,
  toRefusal,
} from './request.ts';
import { createAccessTokens } from './token.ts';
import { createToolJwts } from './tool-jwts.ts';
import type { PlatformTraits } from './traits.ts';

/** An LTI 1.3 platform: what a learning management system is to a tool. It keeps everything in
 *  `state`, knows no server and makes no pages, so that the course site of this host and that of
 *  the tests use the same protocol. */
export interface LtiPlatform {
  /** Begins a launch: where the browser of the person has to be sent. */
  launch(wanted: MessageRequest): LoginInitiation;
  /** Null for a path that does not belong to the platform. Never rejects for what the other side
   *  does. */
  answer(request: PlatformRequest): Promise<PlatformReply | null>;
  /** Tells a tool that courses were copied, where it wants to know. @returns the HTTP status, or
   *  null */
  sendCopies(notices: readonly CopyNotice[]): Promise<number | null>;
}

export interface LtiPlatformDeps {
  readonly issuer: string;
  /** Where browsers reach the platform, without a slash at the end. */
  readonly browserUrl: string;
  /** Where tools reach its services, without a slash at the end. */
  readonly serviceUrl: string;
  readonly traits: PlatformTraits;
  readonly state: PlatformState;
  readonly keys: PlatformKeys;
  readonly clock: Clock;
  /** Links that a course may have. */
  readonly maxLinks: number;
  /** Told of every request that breaks a rule. */
  onRefusal(refusal: Refusal): void;
}

/** Paths of the platform below its addresses. */
export const paths = { authorization: '/authorize', keys: '/keys', token: '/token' } as const;

export function createLtiPlatform(deps: LtiPlatformDeps): LtiPlatform {
  const { serviceUrl, traits, state, keys, clock } = deps;
  const getTool = (clientId: string): Tool => state.tools.get(clientId) ?? refuse('the tool is not registered');
  const sessions = createDeepLinkingSessions(clock);
  const jwts = createToolJwts(clock);
  const createClaims = createMessages({ ...deps, sessions });
  const logins = createLogins({
    ...deps,
    getTool,
    sign: async (wanted, nonce) => keys.sign(createClaims(wanted, nonce)),
  });
  const tokens = createAccessTokens({
    clock,
    jwts,
    audience: `${serviceUrl}${paths.token}`,
    mediaType: traits.tokenMediaType,
    findTool: (clientId) => state.tools.get(clientId) ?? null,
  });
  const deepLinking = createDeepLinking({ ...deps, sessions, jwts, getTool });
  const grading = createGrading({ ...deps, tokens });
  const memberships = createMemberships({ ...deps, tokens });
  const notices = createNotices({ ...deps, tokens });

  const handlers: Readonly<Record<string, (request: PlatformRequest, rest: readonly string[]) => Handler | null>> = {
    authorize: (request) => ['authorization', () => logins.authorize(request)],
    keys: () => ['keys', async () => data(await keys.publish())],
    token: (request) => ['token', () => tokens.give(request)],
    'deep-linking': (request) => ['deep-linking', () => deepLinking.takeItems(request)],
    'line-items': (request, [courseId, ...rest]) =>
      courseId === undefined
        ? null
        : [rest[1] === 'scores' ? 'scores' : 'line-items', () => grading.answer(request, courseId, rest)],
    memberships: (request, [courseId]) =>
      courseId === undefined ? null : ['memberships', () => memberships.answer(request, courseId)],
    'notice-handlers': (request, [deploymentId]) =>
      deploymentId === undefined ? null : ['notice-handlers', () => notices.answer(request, deploymentId)],
  };

  return {
    launch: (wanted) => logins.begin(wanted),
    sendCopies: notices.sendCopies,
    async answer(request) {
      const [, first = '', ...rest] = request.path.split('/');
      const handler = Object.hasOwn(handlers, first) ? handlers[first]?.(request, rest) : null;
      if (handler === null || handler === undefined) return null;
      const [endpoint, handle] = handler;
      try {
        return await handle();
      } catch (thrown) {
        const refusal = toRefusal(endpoint, thrown);
        deps.onRefusal(refusal);
        return toReply(refusal);
      }
    },
  };
}

type Handler = readonly [endpoint: Endpoint, handle: () => PlatformReply | Promise<PlatformReply>];

/** Programs get JSON, people a page. */
function toReply({ endpoint, status, error, reason }: Refusal): PlatformReply {
  if (endpoint === 'authorization' || endpoint === 'deep-linking') return { kind: 'refused', status, reason };
  return { kind: 'data', status, mediaType: 'application/json', body: { error, error_description: reason } };
}
