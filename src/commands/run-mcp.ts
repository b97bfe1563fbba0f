import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { readConfig } from '#config';
import { AppError } from '#errors';
import { openStdioHost, openStdioTransport, type StdioTransport } from '#stdio-host';

/** `skilldock mcp`: answers from the catalogue that comes with the program, and what is kept in a folder of its own beside the host's,
 *  until the assistant closes its end. Standard output has nothing but messages. */
export async function runMcp(version: string): Promise<void> {
  const host = await openStdioHost({ config: readConfig(), version });
  await host.ended;
  await host.close();
  endInput();
}

/** `skilldock mcp --host`: passes the messages on to a host, with a key. Errors: CONFIG_INVALID. */
export async function relayMcp(host: string): Promise<void> {
  const { assistantKey, language } = readConfig();
  if (assistantKey === undefined || !URL.canParse(host) || !/^https?:$/.test(new URL(host).protocol))
    throw new AppError(
      'CONFIG_INVALID',
      'With --host, the address of a host and a key of it are needed: --host https://skills.example.org, and SKILLDOCK_KEY, an API key with the scope mcp.',
    );
  const url = new URL(`${host.replace(/\/$/, '')}/mcp`);
  const locale = language?.slice(0, 2).toLowerCase();
  const headers = {
    authorization: `Bearer ${assistantKey}`,
    ...(locale !== undefined && /^[a-z]{2}$/.test(locale) && { 'accept-language': locale }),
  };
  const there = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  await join(openStdioTransport(), there);
}

type Message = Parameters<StdioTransport['send']>[0];

/** Until the assistant closes its end. What cannot be passed on is answered as the protocol has it. */
async function join(here: StdioTransport, there: StreamableHTTPClientTransport): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const ended = new Promise<void>((resolve) => {
    here.onclose = resolve;
  });
  const tell = (error: Error) => void process.stderr.write(`${error.message}\n`);
  // The assistant may have closed its end, or sent what is too long for one message.
  const answer = (message: Message) => here.send(message).catch(tell);
  there.onmessage = (message) => void answer(message);
  there.onerror = tell;
  here.onerror = tell;
  here.onmessage = (message) => {
    const passed = there.send(message).catch(async (error: unknown) => {
      const failure = sayFailure(message, error);
      if (failure !== null) await answer(failure);
    });
    underWay.add(passed);
    void passed.finally(() => underWay.delete(passed));
  };
  await there.start();
  await here.start();
  await ended;
  await Promise.all(underWay);
  await there.close();
  endInput();
}

/** Where the assistant keeps its end open, input that nobody reads would keep the program alive. */
const endInput = () => void process.stdin.destroy();

/** Null for what is no request, which nobody answers. */
function sayFailure(asked: Message, error: unknown): Message | null {
  if (!('method' in asked && 'id' in asked && asked.id !== undefined)) return null;
  const message = error instanceof Error ? error.message : String(error);
  return {
    jsonrpc: '2.0',
    id: asked.id,
    error: { code: -32_603, message: `The host did not answer: ${message}` },
  };
}
