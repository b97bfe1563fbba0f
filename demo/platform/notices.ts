import { randomUUID } from 'node:crypto';
import type { Clock } from '#ports/clock';
import type { PlatformState, Tool } from './model.ts';
import type { PlatformKeys } from './platform-keys.ts';
import { data, mediaTypeOf, onlyMethod, type PlatformReply, type PlatformRequest, refuse } from './request.ts';
import type { AccessTokens } from './token.ts';
import type { PlatformTraits } from './traits.ts';
import { claim, scope } from './vocabulary.ts';

/** Platform Notification Service: tools say where they want notices, and get them there.
 *  Source: LTI PNS 1.0 (https://www.imsglobal.org/spec/lti-pns/v1p0/main/). */
export interface NoticesDeps {
  readonly issuer: string;
  readonly traits: PlatformTraits;
  readonly state: PlatformState;
  readonly tokens: AccessTokens;
  readonly keys: PlatformKeys;
  readonly clock: Clock;
}

export interface CopyNotice {
  readonly clientId: string;
  readonly courseId: string;
  readonly originIds: readonly string[];
  /** A new one when absent. */
  readonly noticeId?: string;
  /** In place of what a right one claims. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

const TTL_SECONDS = 3600;

export function createNotices({ issuer, traits, state, tokens, keys, clock }: NoticesDeps) {
  const handlers = new Map<string, string>();
  const keyOf = ({ clientId }: Tool, type: string) => `${clientId} ${type}`;

  interface Notice {
    readonly type: string;
    readonly claims: object;
    readonly id?: string | undefined;
  }

  function signNotice(tool: Tool, { type, claims, id = randomUUID() }: Notice): Promise<string> {
    const now = Math.floor(clock.now().getTime() / 1000);
    return keys.sign({
      iss: issuer,
      aud: tool.clientId,
      azp: tool.clientId,
      iat: now,
      exp: now + TTL_SECONDS,
      nonce: randomUUID(),
      [claim.version]: '1.3.0',
      [claim.deploymentId]: tool.deploymentId,
      [claim.notice]: { id, timestamp: clock.now().toISOString(), type },
      ...claims,
    });
  }

  /** All of one type. @returns the HTTP status; null where the tool does not want them */
  async function send(tool: Tool, type: string, notices: readonly Notice[]): Promise<number | null> {
    const handler = handlers.get(keyOf(tool, type)) ?? '';
    if (handler === '') return null;
    const signed = await Promise.all(notices.map((notice) => signNotice(tool, notice)));
    const { status } = await fetch(handler, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ notices: signed.map((jwt) => ({ jwt })) }),
    });
    return status;
  }

  async function put(tool: Tool, { headers, body }: PlatformRequest): Promise<PlatformReply> {
    if (mediaTypeOf(headers['content-type']) !== 'application/json') refuse('JSON is expected');
    const { notice_type: type, handler } = JSON.parse(body) as Record<string, unknown>;
    if (typeof type !== 'string' || !traits.noticeTypes.includes(type)) return refuse('no such notice_type');
    if (typeof handler !== 'string') return refuse('handler must be an address, or empty');
    if (handler !== '' && new URL(handler).host !== new URL(tool.targetLinkUri).host)
      refuse('handler must be of the domain of the tool');
    handlers.set(keyOf(tool, type), handler);
    if (type === 'LtiHelloWorldNotice') await send(tool, type, [{ type, claims: {} }]);
    return data({ notice_type: type, handler });
  }

  return {
    /** Below `/notice-handlers`. */
    async answer(request: PlatformRequest, deploymentId: string): Promise<PlatformReply> {
      onlyMethod(request, 'GET', 'PUT');
      const clientId = tokens.admit(request, scope.noticeHandlers);
      const tool = state.tools.get(clientId);
      if (tool?.deploymentId !== deploymentId) return refuse('no such deployment', { status: 404 });
      if (request.method === 'PUT') return put(tool, request);
      const notice_handlers = traits.noticeTypes.map((type) => ({
        handler: handlers.get(keyOf(tool, type)) ?? '',
        notice_type: type,
      }));
      return data({ client_id: clientId, deployment_id: deploymentId, notice_handlers });
    },
    /** To the tool of the first of them. */
    sendCopies(notices: readonly CopyNotice[]): Promise<number | null> {
      const tool = state.tools.get(notices[0]?.clientId ?? '') ?? refuse('the tool is not registered');
      const type = 'LtiContextCopyNotice';
      const toNotice = ({ courseId, originIds, noticeId, claims }: CopyNotice): Notice => {
        const { id, label, title } = state.courses.get(courseId) ?? refuse('there is no such course');
        const copied = { [claim.context]: { id, label, title }, [claim.originContexts]: originIds };
        return { type, claims: { ...copied, ...claims }, id: noticeId };
      };
      return send(tool, type, notices.map(toNotice));
    },
  };
}
