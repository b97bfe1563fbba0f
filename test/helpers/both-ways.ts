import type { Clock } from '../../src/ports/clock.ts';
import type { RunningApp } from './app.ts';
import { type HostProcess, startHostProcess } from './host-process.ts';

type Settings = Readonly<Record<string, string>>;

/** One of the ways in which a host can be told to find what it shows, by its settings alone. */
export interface Way {
  readonly name: string;
  readonly isOwnEngine: boolean;
  startApp(clock?: Clock, settings?: Settings): Promise<RunningApp>;
  startHostProcess(env?: Record<string, string>): Promise<HostProcess>;
}

/** Read only where it is used: it is the whole program, which a test with a host process has no
 *  need of. */
const startApp: Way['startApp'] = async (clock, settings) => (await import('./app.ts')).startApp(clock, settings);

/** From its own engine, or from another service over HTTP: what people see must be the same. */
export const bothWays: readonly Way[] = [
  { name: 'its own engine', isOwnEngine: true, startApp, startHostProcess },
  {
    name: 'an upstream',
    isOwnEngine: false,
    async startApp(clock, settings) {
      const upstream = await startApp(clock);
      const app = await startApp(clock, {
        ...upstreamSettings(upstream.url, await upstream.createKey()),
        ...settings,
      });
      return {
        ...app,
        async close() {
          await app.close();
          await upstream.close();
        },
      };
    },
    async startHostProcess(env) {
      const upstream = await startHostProcess();
      const key = await upstream.createKey('--per-second', '100000', '--per-day', '1000000');
      const host = await startHostProcess({ ...upstreamSettings(upstream.url, key), ...env });
      return {
        ...host,
        async stop(signal) {
          const code = await host.stop(signal);
          await upstream.stop();
          return code;
        },
      };
    },
  },
];

const upstreamSettings = (url: string, key: string) => ({
  UPSTREAM_URL: url,
  UPSTREAM_API_KEY: key,
  ALLOW_PRIVATE_UPSTREAM: '1',
});
