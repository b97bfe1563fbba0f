import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Tracing } from '#ports/tracing';

declare global {
  namespace Express {
    interface Request {
      id: string;
      log: Logger;
    }
  }
}

/** Health checks and assets would drown what matters. */
const QUIET = /^\/(?:healthz|readyz|metrics|(?:demo\/)?assets\/)/;

/** Writes a line for each answered request. A logger for every request cost a tenth of a search. */
export function createRequestLog(log: Logger) {
  // These lines have a few fields and no named secrets; redaction costs a tenth of a search.
  const lines = log.child({}, { redact: [] });
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const start = performance.now();
    const { method, url: sentUrl = '' } = request;
    const id = randomUUID();
    Object.assign(request, { id, log });
    if (log.isLevelEnabled('info') && !QUIET.test(sentUrl)) {
      const url = hidePrivateInLog(sentUrl);
      response.once('close', () => {
        const milliseconds = Math.round(performance.now() - start);
        const message = response.writableFinished ? 'request answered' : 'request abandoned';
        lines.info({ req: { id, method, url }, res: { statusCode: response.statusCode }, milliseconds }, message);
      });
    }
    next();
  };
}

/** A reader of the log must not be able to use a one-time link, nor see who is looked for, what
 *  anybody searches for, and what a platform says about people. */
function hidePrivateInLog(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s);
  const names = query?.split('&').map((part) => (part.includes('=') ? part.replace(/=.*/s, '=…') : '…'));
  const shown = path.replace(/^(\/admin\/(?:link|connect)\/)[^/]*|^(\/plans\/)[^/]*/i, '$1$2…');
  return names === undefined ? shown : `${shown}?${names.join('&')}`;
}

type Answered = ServerResponse & Pick<Response, 'locals'>;

export function createRequestTrace(tracing: Tracing) {
  return (request: IncomingMessage, response: Answered, next: () => void): void => {
    const { method = '', headers } = request;
    tracing.request({ method, headers }, (end) => {
      response.once('close', () => end(findLoggedRoute(request, response), response.statusCode));
      next();
    });
  };
}

/** The pattern of the address: what stands in its places may be a word or a token of somebody. */
function findLoggedRoute(request: IncomingMessage, { locals }: Answered): string | null {
  if (typeof locals.operation === 'string') return locals.operation;
  const { baseUrl, route } = request as Partial<Request>;
  const path: unknown = route?.path;
  return typeof path === 'string' ? baseUrl + path : null;
}
