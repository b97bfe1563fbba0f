import type { IncomingMessage, ServerResponse } from 'node:http';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Ends a request whose body takes longer, as its caller only blocks a connection. */
export function endSlowBody(request: IncomingMessage, response: ServerResponse, timeoutMs: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (length === '0' && encoding === undefined) return;
  const timer = setTimeout(() => {
    if (!response.headersSent) response.writeHead(408, { Connection: 'close' }).end();
    request.destroy();
  }, timeoutMs);
  timers.set(request, timer);
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/** Lifts the limit of `endSlowBody` for a known sender; the server's own limit still holds. */
export function allowSlowBody(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}
