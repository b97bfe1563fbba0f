import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Passing {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
}

export interface Answered {
  readonly status: number;
  readonly body: string;
  /** Of JSON when absent. */
  readonly type?: string;
}

/** What becomes of a request.
 *  @param pass sends it to the node, or another body in its place */
export type Rule = (
  passing: Passing,
  pass: (body?: string) => Promise<Answered>,
) => Promise<Answered | 'no answer' | 'half an answer'>;

export interface OpenSearchProxy {
  readonly address: string;
  /** Requests go through unchanged while there is none. */
  rule: Rule | null;
  close(): void;
}

export interface ProxyOptions {
  /** Where it speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** Stands before a real node, to hold or change what is on its way. Where the node is away,
 *  connections are cut, as they would be. */
export async function startOpenSearchProxy(node: string, { tls }: ProxyOptions = {}): Promise<OpenSearchProxy> {
  const pass = (incoming: IncomingMessage, body: string) =>
    new Promise<Answered>((done, fail) => {
      const { host: _, authorization: __, 'content-length': ___, ...headers } = incoming.headers;
      const to = new URL(incoming.url ?? '/', node);
      const options = { method: incoming.method ?? 'GET', headers, agent: false };
      const outgoing = request(to, options, (answer) => {
        text(answer).then((answered) => done({ status: answer.statusCode ?? 0, body: answered }), fail);
      });
      outgoing.on('error', fail).end(body);
    });
  const proxy: OpenSearchProxy = {
    rule: null,
    get address() {
      return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    try {
      const body = await text(incoming);
      const { method = '', url: path = '' } = incoming;
      const { authorization } = incoming.headers;
      const send = (changed = body) => pass(incoming, changed);
      const answer = proxy.rule === null ? await send() : await proxy.rule({ method, path, body, authorization }, send);
      if (answer === 'no answer') return;
      const type = 'application/json; charset=UTF-8';
      if (answer === 'half an answer') {
        response.writeHead(200, { 'content-type': type, 'content-length': 1000 }).write('{');
        return;
      }
      response.writeHead(answer.status, { 'content-type': answer.type ?? type }).end(answer.body);
    } catch {
      response.destroy();
    }
  };
  const server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return proxy;
}
