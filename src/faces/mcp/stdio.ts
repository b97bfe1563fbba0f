import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { chooseLocale, readLanguages } from '../words/i18n.ts';
import type { McpReader, McpServerDeps } from './deps.ts';
import { createMcpServer } from './server.ts';

const MAX_MESSAGE_BYTES = 256 * 1_024;

export type StdioTransport = Pick<
  StdioServerTransport,
  'start' | 'send' | 'close' | 'onmessage' | 'onclose' | 'onerror'
>;

/** Opens standard input and output for messages, one a line; nothing else may write there. */
export const openStdioTransport = (): StdioServerTransport =>
  new StdioServerTransport(undefined, undefined, { maxBufferSize: MAX_MESSAGE_BYTES });

export type StdioServing = ReturnType<typeof serveMcpStdio>;

/** Serves one assistant without a signed-in person. @param language of the machine, as in `LANG` */
export function serveMcpStdio(
  deps: McpServerDeps,
  { tenant, language }: Pick<McpReader, 'tenant'> & { readonly language: string | undefined },
) {
  const locale = chooseLocale(language, undefined);
  const reader = { tenant, person: null, locale, t: readLanguages().translatorOf(locale) };
  const transport = openStdioTransport();
  const { close } = serveStdio(() => createMcpServer(deps, reader), { transport, onerror: deps.onProblem });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  return {
    /** Resolves when the assistant closes its end, or sends a message that is too long. */
    ended,
    close,
  };
}
