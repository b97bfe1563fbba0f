import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { chooseLocale, readLanguages } from '../words/i18n.ts';
import type { McpReader, McpServerDeps } from './deps.ts';
import { createMcpServer } from './server.ts';

/** Bytes of one message. */
const MAX_MESSAGE = 256 * 1_024;

export type StdioTransport = Pick<
  StdioServerTransport,
  'start' | 'send' | 'close' | 'onmessage' | 'onclose' | 'onerror'
>;

/** Messages of an assistant on this machine, a line each; standard output has nothing else. */
export const openStdioTransport = (): StdioServerTransport =>
  new StdioServerTransport(undefined, undefined, { maxBufferSize: MAX_MESSAGE });

export interface StdioServing {
  /** When the assistant has closed its end, or sent what is too long for one message: nobody knows
   *  where the next one begins then. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** The same server for one assistant, over standard input and output. Nobody is signed in there.
 *  @param language of the machine, as `LANG` has it */
export function serveMcpStdio(
  deps: McpServerDeps,
  { tenant, language }: Pick<McpReader, 'tenant'> & { readonly language: string | undefined },
): StdioServing {
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
  return { ended, close };
}
