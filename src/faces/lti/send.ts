import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Launch } from '#domain/lti/launch';
import { setPageHeaders } from '../page-headers.ts';
import { views } from '../views.ts';
import { toBrand } from './brand.ts';
import type { LtiFaceDeps } from './deps.ts';
import { anyFramer, listFramers } from './frame.ts';
import type { LtiContext, LtiPageReply, LtiReply } from './route.ts';

/** The reply of a handler, with the request it answers. */
export interface Answered {
  readonly reply: LtiReply;
  readonly context: LtiContext & { readonly token?: string };
  /** Null where nobody was launched yet. */
  readonly launch: Launch | null;
}

/** Sends the replies of handlers. */
export function createSend(deps: Pick<LtiFaceDeps, 'tenants'>) {
  async function sendPage(reply: LtiPageReply, { context, launch }: Answered, response: Response) {
    const { frameAncestors, frames = [], formTo, cookies = [] } = reply;
    setPageHeaders(response, {
      frameAncestors: frameAncestors ?? (launch === null ? anyFramer : listFramers(launch)),
      frames,
      formsTo: formTo === undefined ? [] : [formTo],
    });
    for (const cookie of cookies) response.append('Set-Cookie', cookie);
    const tenant = launch === null ? null : await deps.tenants.findTenant(launch.tenantId);
    const model = {
      ...toWords(context),
      launch,
      token: context.token ?? null,
      brand: toBrand(tenant),
    };
    const html = views.render(`lti/${reply.view}`, { ...model, ...reply.model });
    // `send` would hash a page that is never requested again.
    response
      .status(reply.status ?? 200)
      .type('html')
      .end(html);
  }

  return async (answered: Answered, response: Response): Promise<void> => {
    const { reply, context } = answered;
    switch (reply.kind) {
      case 'page':
        return sendPage(reply, answered, response);
      case 'redirect':
        for (const cookie of reply.cookies ?? []) response.append('Set-Cookie', cookie);
        return void response.status(303).set({ 'Cache-Control': 'no-store', Location: reply.to }).end();
      case 'fragment':
        response.set('Cache-Control', 'no-store').type('html');
        return void response.send(views.render(`lti/${reply.view}`, { ...toWords(context), ...reply.model }));
      case 'json':
        response.set('Cache-Control', toCacheControl(reply.maxAgeSeconds));
        return void response.json(reply.body);
      case 'stream':
        // A compressed stream would wait for more before it sends anything.
        response.set('Cache-Control', 'no-store, no-transform').type('application/x-ndjson');
        return pipeline(Readable.from(writeLines(reply.lines)), response);
    }
  };
}

/** What every template has. */
function toWords({ t, locale }: LtiContext) {
  return { t, locale, number: (value: number) => value.toLocaleString(locale) };
}

function toCacheControl(maxAgeSeconds: number | undefined): string {
  return maxAgeSeconds === undefined ? 'no-store' : `public, max-age=${maxAgeSeconds}`;
}

async function* writeLines(values: AsyncIterable<unknown>): AsyncIterable<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`;
}
