import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Command } from 'commander';
import { AppError } from '#errors';
import type { StdioTransport } from '#stdio-host';

/** `skilldock mcp`: the tools of `/mcp` over standard input and output. */
export function addMcpCommand(program: Command, version: string): void {
  program
    .command('mcp')
    .description('speak the Model Context Protocol over standard input and output, for an assistant on this machine')
    .option(
      '--host <url>',
      'ask this host instead of the catalogue that comes with the program; the key is in SKILLDOCK_KEY (scope mcp)',
    )
    .action(async ({ host }: { readonly host?: string }) => {
      await (host === undefined ? runMcp(version) : relayMcp(host));
    });
}

/** Answers with the services of this data folder. Standard output has nothing but messages. */
async function runMcp(version: string): Promise<void> {
  const [{ readConfig }, { openStdioHost }] = await loadHost();
  const host = await openStdioHost({ config: readConfig(), version });
  await host.ended;
  await host.close();
  closeInput();
}

/** `skilldock mcp --host` relays messages to a host, with a key. Errors: CONFIG_INVALID. */
async function relayMcp(host: string): Promise<void> {
  const [{ readConfig }, { openStdioTransport }] = await loadHost();
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
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const remote = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  await relayMcpMessages(openStdioTransport(), remote);
}

const loadHost = () => Promise.all([import('#config'), import('#stdio-host')]);

type Message = Parameters<StdioTransport['send']>[0];

/** Relays messages until the assistant closes its end. Answers with an error if that fails. */
async function relayMcpMessages(local: StdioTransport, remote: StreamableHTTPClientTransport): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const ended = new Promise<void>((resolve) => {
    local.onclose = resolve;
  });
  const report = (error: Error) => void process.stderr.write(`${error.message}\n`);
  // The assistant may have closed its end, or sent a message that is too long.
  const answer = (message: Message) => local.send(message).catch(report);
  remote.onmessage = (message) => void answer(message);
  remote.onerror = report;
  local.onerror = report;
  local.onmessage = (message) => {
    const sending = remote.send(message).catch(async (error: unknown) => {
      const failure = toErrorResponse(message, error);
      if (failure !== null) await answer(failure);
    });
    underWay.add(sending);
    void sending.finally(() => underWay.delete(sending));
  };
  await remote.start();
  await local.start();
  await ended;
  await Promise.all(underWay);
  await remote.close();
  closeInput();
}

/** Unread input would keep the program alive. */
const closeInput = () => void process.stdin.destroy();

/** Returns null for a message that is not a request, which has no answer. */
function toErrorResponse(message: Message, error: unknown): Message | null {
  if (!('method' in message && 'id' in message && message.id !== undefined)) return null;
  const reason = error instanceof Error ? error.message : String(error);
  return { jsonrpc: '2.0', id: message.id, error: { code: -32_603, message: `The host did not answer: ${reason}` } };
}
