import type { AdminFaceDeps } from './deps.ts';
import { type AdminRoute, makePage } from './route.ts';

/** What the host is made of and how it is doing, for the people who run it. */
export function systemRoutes({ system, clock }: AdminFaceDeps): AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/system',
      access: 'owner',
      async handle({ locale }) {
        const uptimeMs = clock.now().getTime() - system.startedAt.getTime();
        const { rss, heapUsed } = process.memoryUsage();
        return makePage('system', {
          system,
          // A problem with the store must not break this page: it belongs here more than anything else.
          store: await system.describeStore().catch((error: Error) => ({ problem: error.message })),
          ...describeMeaning(system, locale),
          node: process.version,
          uptime: splitDuration(uptimeMs),
          memory: { rss, heapUsed },
          bytes: (count: number) => formatBytes(count, locale),
        });
      },
    },
  ];
}

/** What finds things by meaning, and where that runs, how far the vectors are. */
function describeMeaning({ describeMeaning, describeEncoding }: AdminFaceDeps['system'], locale: string) {
  const meaning = describeMeaning();
  const { labels, objects, perSecond, secondsLeft, bytes, problem } = describeEncoding();
  const isSeen = meaning.kind === 'ready' || meaning.kind === 'service';
  const [done, total] = [labels.done + objects.done, labels.total + objects.total];
  const kind = problem ?? (total === 0 ? 'looking' : done < total ? 'working' : 'done');
  const counts = {
    labels: labels.total,
    labelsDone: labels.done,
    objects: objects.total,
    objectsDone: objects.done,
  };
  const written = Object.entries(counts).map(([name, count]) => [name, count.toLocaleString(locale)]);
  const encoding = {
    kind,
    values: {
      ...Object.fromEntries(written),
      size: formatBytes(bytes, locale),
      rate: perSecond?.toLocaleString(locale, { maximumSignificantDigits: 2 }) ?? '–',
    },
    minutesLeft:
      kind === 'working' && secondsLeft !== null ? Math.max(1, Math.round(secondsLeft / 60)) : null,
  };
  return { meaning, encoding: isSeen ? encoding : null };
}

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
