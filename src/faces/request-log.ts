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

/** Paths without log lines: health checks and assets would drown everything else. */
const QUIET = /^\/(?:healthz|readyz|metrics|(?:demo\/)?assets\/)/;

/** Writes a line for each request. A logger for each would cost a tenth of a search. */
export function createRequestLog(log: Logger) {
  // These lines have a few fields and no named secrets; redaction costs a tenth of a search.
  const lines = log.child({}, { redact: [] });
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const start = performance.now();
    const { method, url: sentUrl = '' } = request;
    const id = randomUUID();
    Object.assign(request, { id, log });
    if (log.isLevelEnabled('info') && !QUIET.test(sentUrl)) {
      const url = maskLoggedUrl(sentUrl);
      response.once('close', () => {
        const milliseconds = Math.round(performance.now() - start);
        const message = response.writableFinished ? 'request answered' : 'request abandoned';
        lines.info({ req: { id, method, url }, res: { statusCode: response.statusCode }, milliseconds }, message);
      });
    }
    next();
  };
}

/** Masks tokens of paths and all values of the query: a reader of the log must not be able to use a
 *  one-time link, nor see what people search for or what a platform says about them. */
function maskLoggedUrl(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s);
  const names = query?.split('&').map((part) => (part.includes('=') ? part.replace(/=.*/s, '=…') : '…'));
  const shown = path.replace(/^(\/admin\/(?:link|connect)\/)[^/]*|^(\/plans\/)[^/]*/i, '$1$2…');
  return names === undefined ? shown : `${shown}?${names.join('&')}`;
}

type TracedResponse = ServerResponse & Pick<Response, 'locals'>;

export function createRequestTrace(tracing: Tracing) {
  return (request: IncomingMessage, response: TracedResponse, next: () => void): void => {
    const { method = '', headers } = request;
    tracing.request({ method, headers }, (end) => {
      response.once('close', () => end(findTracedRoute(request, response), response.statusCode));
      next();
    });
  };
}

/** Finds the pattern of the address; its parameters may be words or tokens of people. */
function findTracedRoute(request: IncomingMessage, { locals }: TracedResponse): string | null {
  if (typeof locals.operation === 'string') return locals.operation;
  const { baseUrl, route } = request as Partial<Request>;
  const path: unknown = route?.path;
  return typeof path === 'string' ? baseUrl + path : null;
}
