import { randomBytes } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Clock } from '#ports/clock';
import { type ReadItem, readContentItems } from './content-items.ts';
import { createExpiring } from './expiring.ts';
import type { MessageRequest } from './model.ts';
import { type CourseLink, type PlatformState, removeLink, type Tool } from './model.ts';
import {
  type ChoiceOutcome,
  onlyMethod,
  type PlatformReply,
  type PlatformRequest,
  readForm,
  refuse,
  single,
} from './request.ts';
import type { ToolJwts } from './tool-jwts.ts';
import type { DeepLinkingTraits, PlatformTraits } from './traits.ts';
import { claim } from './vocabulary.ts';

/** A choice of objects that is under way. */
export interface DeepLinkingSession {
  readonly id: string;
  /** Data that has to come back; null where there is none. */
  readonly data: string | null;
  readonly wanted: MessageRequest & { readonly kind: 'deep-linking' };
}

export interface DeepLinkingSessions {
  begin(wanted: DeepLinkingSession['wanted'], dataOf: DeepLinkingTraits['dataOf']): DeepLinkingSession;
  find(id: string): DeepLinkingSession | null;
  /** Only one of two that use it at once gets it. */
  take(id: string): DeepLinkingSession | null;
}

const SESSION_TTL_SECONDS = 8 * 3600;
const MAX_SESSIONS = 1000;

export function createDeepLinkingSessions(clock: Clock): DeepLinkingSessions {
  const sessions = createExpiring<DeepLinkingSession>({
    clock,
    ttlSeconds: SESSION_TTL_SECONDS,
    max: MAX_SESSIONS,
  });
  return {
    begin(wanted, dataOf) {
      const id = randomBytes(16).toString('hex');
      const session = { id, wanted, data: dataOf?.(id) ?? null };
      sessions.put(id, session);
      return session;
    },
    find: (id) => sessions.find(id),
    take: (id) => sessions.take(id),
  };
}

export interface DeepLinkingDeps {
  readonly issuer: string;
  readonly traits: PlatformTraits;
  readonly state: PlatformState;
  readonly sessions: DeepLinkingSessions;
  readonly jwts: ToolJwts;
  /** Links that a course may have. */
  readonly maxLinks: number;
  getTool(clientId: string): Tool;
}

/** The return of a choice: the tool's signed list of content items becomes links in the course.
 *  Source: LTI Deep Linking 2.0, §4.5 (https://www.imsglobal.org/spec/lti-dl/v2p0/). */
export function createDeepLinking(deps: DeepLinkingDeps) {
  const { issuer, traits, sessions, jwts, getTool } = deps;
  return {
    async takeItems(request: PlatformRequest): Promise<PlatformReply> {
      onlyMethod(request, 'POST');
      const id = single(request.query, 'session');
      const session = sessions.find(id) ?? refuse('nothing is being chosen here any more');
      const tool = getTool(session.wanted.clientId);
      const jwt = single(readForm(request), 'JWT');
      const claims = await jwts.read(jwt, { tool, audience: issuer, onceBy: 'nonce' });
      checkClaims(claims, session, tool);
      const settings = traits.deepLinkingAt(session.wanted.placement);
      const { kept, dropped } = readContentItems(claims[claim.contentItems], settings, traits.content);
      if (sessions.take(id) === null) refuse('this choice was made already');
      const errorMessage = text(claims[claim.errorMessage]);
      // A reported failure means that nothing was chosen.
      const items = errorMessage === null ? kept : [];
      const linkIds = place(deps, session, items);
      const outcome: ChoiceOutcome = {
        linkIds,
        dropped,
        withoutRoomCount: items.length - linkIds.length,
        message: text(claims[claim.message]),
        errorMessage,
      };
      return { kind: 'chosen', outcome };
    },
  };
}

function checkClaims(claims: JWTPayload, { data }: DeepLinkingSession, { deploymentId }: Tool): void {
  const wanted = {
    [claim.messageType]: 'LtiDeepLinkingResponse',
    [claim.version]: '1.3.0',
    [claim.deploymentId]: deploymentId,
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (claims[name] !== value) refuse(`${name} must be ${value}`);
  }
  if ((claims[claim.data] ?? null) !== data) refuse(`${claim.data} is not what was sent`);
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** As many as the course has room for. */
function place(deps: DeepLinkingDeps, { wanted }: DeepLinkingSession, items: readonly ReadItem[]): string[] {
  const { state, maxLinks } = deps;
  const { courseId, linkId } = wanted;
  const others = [...state.links.values()].filter((link) => link.courseId === courseId && link.id !== linkId);
  return items.slice(0, Math.max(0, maxLinks - others.length)).map((item, index) => {
    // An item that is changed stays the link it was; what comes with it is new.
    const id = index === 0 && linkId !== null ? linkId : state.takeId();
    removeLink(state, id);
    state.links.set(id, toLink(deps, { wanted, item, id }));
    return id;
  });
}

interface Placed {
  readonly wanted: DeepLinkingSession['wanted'];
  readonly item: ReadItem;
  readonly id: string;
}

function toLink({ state, traits, getTool }: DeepLinkingDeps, { wanted, item, id }: Placed): CourseLink {
  const { courseId, clientId, placement } = wanted;
  const { title, text, custom, target } = item;
  const lineItem = traits.makesLineItems ? item.lineItem : null;
  const lineItemId = lineItem === null ? null : state.takeId();
  if (lineItem !== null && lineItemId !== null) {
    const label = lineItem.label ?? title;
    state.lineItems.set(lineItemId, { ...lineItem, id: lineItemId, courseId, linkId: id, label });
  }
  const url = item.url ?? getTool(clientId).targetLinkUri;
  return { id, courseId, clientId, placement, title, text, url, custom, target, lineItemId, history: [] };
}
