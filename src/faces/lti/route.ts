import type { Request } from 'express';
import type { Launch } from '#domain/lti/launch';
import type { PictureLinks } from '#domain/picture';
import type { Locale, Translate } from '../words/i18n.ts';

/** What a handler knows of a request. */
export interface LtiContext {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a POST; empty for a GET. */
  readonly form: URLSearchParams;
  readonly locale: Locale;
  readonly t: Translate;
  readonly pictures: PictureLinks;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

/** A request that a launch token let in. */
export interface LaunchContext extends LtiContext {
  readonly launch: Launch;
  /** For the next requests: `Authorization: Bearer …`, the query parameter `launch`, or the field
   *  `launch` of a form. */
  readonly token: string;
}

/** What a handler replies. */
export type LtiReply =
  | LtiPageReply
  | { readonly kind: 'redirect'; readonly to: string; readonly cookies?: readonly string[] }
  /** A part of a page; `view` as in a page, without the layout. */
  | { readonly kind: 'fragment'; readonly view: string; readonly model: Readonly<Record<string, unknown>> }
  | { readonly kind: 'json'; readonly body: unknown; readonly maxAgeSeconds?: number }
  /** Newline-delimited JSON, sent line by line. */
  | { readonly kind: 'stream'; readonly lines: AsyncIterable<unknown> };

export interface LtiPageReply {
  readonly kind: 'page';
  /** Template below `views/lti/`. */
  readonly view: string;
  readonly model: Readonly<Record<string, unknown>>;
  /** HTTP status; 200 when absent. */
  readonly status?: number;
  /** Origins that may frame the page, besides our own. */
  readonly frameAncestors?: readonly string[];
  /** Origins whose pages may be framed in it. */
  readonly frames?: readonly string[];
  /** Origin that a form of the page is sent to, besides our own. */
  readonly formTo?: string;
  /** `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
}

type Handler<C> = (context: C) => LtiReply | Promise<LtiReply>;

/** Who may call a route. `platform`: anyone, as platforms and browsers come without a token.
 *  `deep-linking`, `resource-link`: the token of such a launch. `instructor`: the token of an
 *  instructor's resource link launch. */
export type LtiRoute = {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Bytes of a form, as `4mb`; 256 kB when absent. */
  readonly maxForm?: string;
  /** Media type of what is posted; a form when absent. Anything else is `request.body`, as text. */
  readonly takes?: string;
} & (
  | { readonly access: 'platform'; readonly handle: Handler<LtiContext> }
  | {
      readonly access: 'deep-linking' | 'resource-link' | 'instructor';
      readonly handle: Handler<LaunchContext>;
    }
  /** Where objects are chosen: a deep-linking launch, or a resource link launch of an instructor
   *  who replaces one. */
  | { readonly access: 'picker'; readonly handle: Handler<LaunchContext> }
  /** Like `picker`, but also where the request has just been answered: somebody may press twice. */
  | { readonly access: 'choice'; readonly handle: Handler<LaunchContext> }
);

export const makePage = (
  view: string,
  model: Readonly<Record<string, unknown>>,
  more: Omit<LtiPageReply, 'kind' | 'view' | 'model'> = {},
): LtiPageReply => ({ kind: 'page', view, model, ...more });
