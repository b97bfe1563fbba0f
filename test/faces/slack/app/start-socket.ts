import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The least of Slack's end of Socket Mode: a WebSocket that sends envelopes and hears acknowledgements.
 *  Source: RFC 6455, and Slack, “Using Socket Mode”. */
export async function startSocket() {
  const heard: Record<string, unknown>[] = [];
  const sockets: Socket[] = [];
  const server = createServer();
  server.on('upgrade', (request, socket: Socket) => {
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (isClosing(chunk)) socket.destroy();
      else heard.push(...readFrames(chunk));
    });
    writeFrame(socket, { type: 'hello', num_connections: 1, connection_info: { app_id: 'A1' } });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/link`,
    heard,
    isConnected: () => sockets.some((socket) => !socket.destroyed),
    send: (envelope: object) => writeFrame(sockets.at(-1)!, envelope),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

const isClosing = (chunk: Buffer): boolean => (chunk[0]! & 15) === 8;

function writeFrame(socket: Socket, message: object): void {
  const body = Buffer.from(JSON.stringify(message));
  const head = body.length < 126 ? [0x81, body.length] : [0x81, 126, body.length >> 8, body.length & 255];
  socket.write(Buffer.concat([Buffer.from(head), body]));
}

/** Texts of a browser's side, which are masked; each chunk has whole frames here, as they are short. */
function readFrames(chunk: Buffer): Record<string, unknown>[] {
  const texts: Record<string, unknown>[] = [];
  for (let at = 0; at + 2 <= chunk.length; ) {
    const short = chunk[at + 1]! & 127;
    const start = at + (short === 126 ? 4 : 2);
    const length = short === 126 ? chunk.readUInt16BE(at + 2) : short;
    const mask = chunk.subarray(start, start + 4);
    const body = chunk.subarray(start + 4, start + 4 + length).map((byte, index) => byte ^ mask[index % 4]!);
    if ((chunk[at]! & 15) === 1) texts.push(JSON.parse(Buffer.from(body).toString()));
    at = start + 4 + length;
  }
  return texts;
}
