import type { IncomingMessage, ServerResponse } from 'node:http';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Ends requests with a slower body: such a caller only blocks a connection. */
export function endSlowBody(request: IncomingMessage, response: ServerResponse, milliseconds: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (length === '0' && encoding === undefined) return;
  const timer = setTimeout(() => {
    if (!response.headersSent) response.writeHead(408, { Connection: 'close' }).end();
    request.destroy();
  }, milliseconds);
  timers.set(request, timer);
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/** Lets a body take its time once its sender is known; the server's own limit still holds. */
export function allowSlowBody(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
}
