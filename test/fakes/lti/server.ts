import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlatformReply, PlatformRequest } from '../../../demo/platform/request.ts';
import { chosenPage, formPage, refusedPage } from './pages.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const html = (body: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
});

export const json = (body: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export function toAnswer(reply: PlatformReply): Answer {
  switch (reply.kind) {
    case 'form':
      return html(formPage(reply.action, reply.fields));
    case 'chosen':
      return html(chosenPage(reply.outcome));
    case 'refused':
      return html(refusedPage(reply.reason), reply.status);
    case 'data': {
      const body = reply.body === undefined ? '' : JSON.stringify(reply.body);
      return { status: reply.status, headers: { 'content-type': reply.mediaType, ...reply.headers }, body };
    }
  }
}

export interface ListeningServer {
  readonly url: string;
  /** Nothing listens any more: connections are refused. */
  stop(): Promise<void>;
  /** Listens again, at the same address. */
  restart(): Promise<void>;
}

export async function listen(
  host: string,
  answer: (request: PlatformRequest) => Promise<Answer>,
): Promise<ListeningServer> {
  const server = createServer(async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    try {
      const { status, headers, body } = await answer(await readRequest(incoming));
      outgoing.writeHead(status, headers).end(body);
    } catch (error) {
      outgoing.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    }
  });
  const open = (port: number) => new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done));
  await open(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    restart: () => open(port),
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<PlatformRequest> {
  const { pathname, searchParams } = new URL(incoming.url!, 'http://platform');
  let body = '';
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  return { method: incoming.method!, path: pathname, query: searchParams, headers, body };
}
