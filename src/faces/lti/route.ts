import type { Request } from 'express';
import type { Actor } from '#domain/admin';
import type { Launch } from '#domain/lti/launch';
import { toLtiPerson } from '#domain/lti/placement';
import type { PictureLinks } from '#domain/picture';
import type { ShelfOwner } from '#ports/store/store';
import type { Download } from '../downloads.ts';
import type { Locale, Translate } from '../words/i18n.ts';
import type { LtiFaceDeps } from './deps.ts';

export interface LtiContext {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly locale: Locale;
  readonly t: Translate;
  readonly pictures: PictureLinks;
  readonly signal: AbortSignal;
}

export interface LaunchContext extends LtiContext {
  readonly launch: Launch;
  /** Names the launch in later requests: as a bearer token, or as `launch` in a query or form. */
  readonly token: string;
}

export type LtiReply =
  | LtiPageReply
  | { readonly kind: 'redirect'; readonly to: string; readonly cookies?: readonly string[] }
  | LtiFragmentReply
  | { readonly kind: 'json'; readonly body: unknown; readonly maxAgeSeconds?: number }
  | Download
  | { readonly kind: 'stream'; readonly lines: AsyncIterable<unknown> };

export interface LtiPageReply {
  readonly kind: 'page';
  readonly view: string;
  readonly model: Readonly<Record<string, unknown>>;
  readonly status?: number;
  /** Origins that may frame the page, besides this host. */
  readonly frameAncestors?: readonly string[];
  /** Origins whose pages may be framed in it. */
  readonly frames?: readonly string[];
  /** Origin that a form of the page is sent to, besides this host. */
  readonly formTo?: string;
  readonly cookies?: readonly string[];
}

export interface LtiFragmentReply {
  readonly kind: 'fragment';
  readonly view: string;
  readonly model: Readonly<Record<string, unknown>>;
}

/** Who may call a route that needs a launch, by its token:
 *  - `resource-link`: people in a resource link launch;
 *  - `instructor`: instructors in a resource link launch;
 *  - `picker`: instructors in a deep-linking launch, or in one of a link whose object they replace;
 *  - `choice`: like `picker`, also after the answer, as a form may be sent twice. */
export type LaunchAccess = 'resource-link' | 'instructor' | 'picker' | 'choice';

/** A route of the tool. Those for platforms are open to anyone, as nobody has a token there. */
export type LtiRoute = {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Limit for a form, such as `4mb`; 256 kB if it is absent. */
  readonly maxForm?: string;
  /** Media type of a request that is no form; `request.body` is then its text. */
  readonly takes?: string;
} & (
  | { readonly access: 'platform'; readonly handle: Handler<LtiContext> }
  | { readonly access: LaunchAccess; readonly handle: Handler<LaunchContext> }
);

type Handler<C> = (deps: LtiFaceDeps, context: C) => LtiReply | Promise<LtiReply>;

export const makeLtiPage = (
  view: string,
  model: Readonly<Record<string, unknown>>,
  options: Omit<LtiPageReply, 'kind' | 'view' | 'model'> = {},
): LtiPageReply => ({ kind: 'page', view, model, ...options });

/** @param name of a view in `views/lti/partials` */
export const makeLtiFragment = (name: string, model: LtiFragmentReply['model']): LtiFragmentReply => ({
  kind: 'fragment',
  view: `partials/${name}`,
  model,
});

export const toShelfOwner = ({ tenantId, registrationId, user }: Launch): ShelfOwner => ({
  tenantId,
  person: toLtiPerson(registrationId, user.id),
});

export function toTeacherActor({ launch, request }: LaunchContext): Actor {
  const { user, registrationId } = launch;
  const id = toLtiPerson(registrationId, user.id);
  return { kind: 'teacher', id, name: user.name ?? user.id, address: request.ip ?? null };
}
