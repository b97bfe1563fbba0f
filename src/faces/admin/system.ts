import { get, makePage } from './route.ts';

/** What the host is made of and how it is doing, for the people who run it. */
export const systemRoutes = [
  get('/system', 'owner', async ({ locale, clock, system }) => {
    const uptimeMs = clock.now().getTime() - system.startedAt.getTime();
    const { rss, heapUsed } = process.memoryUsage();
    return makePage('system', {
      system,
      // A problem with the store must not break this page, which shows it.
      store: await system.describeStore().catch((error: Error) => ({ problem: error.message })),
      node: process.version,
      uptime: splitDuration(uptimeMs),
      memory: { rss, heapUsed },
      bytes: (count: number) => formatBytes(count, locale),
    });
  }),
];

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** `12.3 MB`; units of 1,000 bytes. */
function formatBytes(count: number, locale: string): string {
  const power = count < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3));
  const options = { style: 'unit', unit: UNITS[power], maximumFractionDigits: 1 } as const;
  return (count / 1000 ** power).toLocaleString(locale, options);
}

function splitDuration(milliseconds: number): { days: number; hours: number; minutes: number } {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  return { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
}
