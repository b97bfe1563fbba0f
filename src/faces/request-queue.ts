import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limit of waiting requests on a connection. Browsers send one at a time, other clients a few. */
export const MAX_WAITING_REQUESTS = 16;

type WaitingRequest = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** Time for starting requests in one turn of the event loop. If only one started in each turn,
 *  background work that takes many turns would let requests pile up. */
export const START_MS = 5;

/** Handles one request of a connection at a time, and starts requests for a few milliseconds in a
 *  turn of the event loop. Node hands over all requests of a read, perhaps thousands, which would
 *  stop timers, signals and other connections. A connection with more than `MAX_WAITING_REQUESTS`
 *  is destroyed.
 *  @param server whose requests and timeouts it listens to
 *  @param handle receives each request in the order of its connection */
export function queueRequests(server: Server, handle: RequestListener): void {
  const waiting = new WeakMap<Socket, WaitingRequest[]>();
  const starting: WaitingRequest[] = [];
  let turnBeganAt: number | null = null;

  function hasTime(): boolean {
    if (turnBeganAt !== null) return performance.now() - turnBeganAt < START_MS;
    turnBeganAt = performance.now();
    setImmediate(() => {
      turnBeganAt = null;
    });
    return true;
  }

  function start({ request, response }: WaitingRequest): void {
    const { socket } = request;
    // Nobody reads the answer.
    if (socket.destroyed) return;
    response.once('close', () => finish(socket));
    handle(request, response);
  }

  function startLater(next: WaitingRequest): void {
    starting.push(next);
    setImmediate(startNext);
  }

  /** Starts one request, which gets as far as it can before the next one is started. */
  function startNext(): void {
    if (!hasTime()) return void setImmediate(startNext);
    const next = starting.shift();
    if (next !== undefined) start(next);
  }

  function finish(socket: Socket): void {
    const next = waiting.get(socket)?.shift();
    if (next === undefined) waiting.delete(socket);
    else startLater(next);
  }

  const receive: RequestListener = (request, response) => {
    const { socket } = request;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      if (starting.length === 0 && hasTime()) start({ request, response });
      else startLater({ request, response });
    } else if (queue.length < MAX_WAITING_REQUESTS) queue.push({ request, response });
    else destroyUnread(socket);
  };
  server.on('request', receive);
  // Node refuses other expectations than `100-continue`, which RFC 9110 (10.1.1) lets us ignore.
  server.on('checkExpectation', receive);
  // Ends an idle connection, or one whose client reads nothing; running requests go on.
  server.on('timeout', (socket: Socket) => {
    if (!waiting.has(socket) || socket.writableLength > 0) socket.destroy();
  });
}

/** Destroys a connection, and stops the parser, which would otherwise make up to 2,400 requests of
 *  the rest, taking 0.2 s. Node has no public way; 2 tells its parser that an upgrade follows. */
function destroyUnread(socket: Socket & { parser?: { onIncoming: () => number } | null }): void {
  socket.destroy();
  if (socket.parser) socket.parser.onIncoming = () => 2;
}
