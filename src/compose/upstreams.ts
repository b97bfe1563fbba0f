import { createInspector } from '#adapters/remote/inspection';
import { createUpstreams } from '#adapters/remote/upstreams';
import type { Config } from '#config';
import type { Clock } from '#ports/clock';
import type { Tracing } from '#ports/tracing';
import type { Upstreams } from '#ports/upstream';
import type { Mask } from './log.ts';
import { traceLearning } from './tracing.ts';

/** Connections to upstreams. Their keys are masked in the log from then on. */
export function openUpstreams(
  { privateAccess }: Config,
  { clock, mask, tracing }: { readonly clock: Clock; readonly mask: Mask; readonly tracing: Tracing | null },
): Upstreams & { close(): Promise<void> } {
  const upstreams = createUpstreams({ privateAccess, clock });
  const hideKeys = ({ apiKey, marketplace }: Parameters<Upstreams['connect']>[0]) => {
    mask.hide(apiKey);
    mask.hide(marketplace?.key);
  };
  return {
    connect(connection) {
      hideKeys(connection);
      return traceLearning(tracing, 'upstream', upstreams.connect(connection));
    },
    test(connection, signal) {
      hideKeys(connection);
      return upstreams.test(connection, signal);
    },
    close: () => upstreams.close(),
  };
}

/** For commands, whose user names the address: private networks may be called. */
export const openUpstreamInspector = () => createInspector();
