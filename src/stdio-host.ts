import { openParts } from './compose/open-parts.ts';
import type { Config } from './config.ts';
import { DEFAULT_TENANT } from './domain/tenant.ts';
import { type StdioServing, serveMcpStdio } from './faces/mcp/stdio.ts';
import { systemClock } from './ports/clock.ts';

export { openStdioTransport, type StdioTransport } from './faces/mcp/stdio.ts';

interface StdioOptions {
  readonly config: Config;
  readonly version: string;
}

/** Serves one assistant over standard input and output, with the services of this data folder,
 *  whether a host runs there or not. Errors: those of `openParts`. */
export async function openStdioHost({ config, version }: StdioOptions): Promise<StdioServing> {
  // biome-ignore lint/suspicious/noConsole: what a library prints (OpenSearch's does) would come between the messages.
  console.log = console.error;
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
  const parts = await openParts({ config, version, publicUrl, clock: systemClock, isBeside: true });
  const { services, local, onProblem } = parts;
  const tenant = await services.tenants.getTenant(DEFAULT_TENANT);
  const deps = { ...services, concepts: local.concepts, publicUrl, version, onProblem };
  const serving = serveMcpStdio(deps, { tenant, language: config.language });
  return {
    ended: serving.ended,
    async close() {
      await serving.close();
      await parts.close();
    },
  };
}
