import { assistantTools, toAssistantMetric } from '#domain/assistants';
import { type UsageMetric, usageMetrics } from '#domain/tenant';
import type { UsageReport } from '#services/host/usage';
import type { PageContext } from '../route.ts';

export const CHART_DAYS = 30;

/** In the order of the page; tools follow, those that were called. */
const plainMetrics: readonly UsageMetric[] = [
  'searches',
  'zero-result-searches',
  'feedback',
  'launches',
  'embeds',
  'slack-commands',
];

type Words = Pick<PageContext, 't' | 'locale'>;
const keyMetrics = ['searches', 'embeds', 'launches'] as const;

export function drawKeyNumbers(report: UsageReport, { t, locale }: Words) {
  return keyMetrics.map((metric) => {
    const counts = report.counts[metric];
    const [before, recent] = [counts.slice(0, -CHART_DAYS), counts.slice(-CHART_DAYS)];
    const [totalBefore, total] = [sum(before), sum(recent)];
    const most = Math.max(1, ...recent);
    const change = totalBefore === 0 ? null : total / totalBefore - 1;
    return {
      metric,
      total,
      trend: change === null || change === 0 ? 'none' : change > 0 ? 'up' : 'down',
      change:
        change === null
          ? ''
          : t('overview.change', {
              change: change.toLocaleString(locale, {
                style: 'percent',
                maximumFractionDigits: 0,
                signDisplay: 'exceptZero',
              }),
            }),
      points: recent.map((count, day) => `${day},${(30 - (28 * count) / most).toFixed(1)}`).join(' '),
    };
  });
}

export function cutUsageReport({ days, counts }: UsageReport, length: number): UsageReport {
  const mapMetrics = <T>(make: (recent: readonly number[]) => T) =>
    Object.fromEntries(usageMetrics.map((metric) => [metric, make(counts[metric].slice(-length))])) as Record<
      UsageMetric,
      T
    >;
  return { days: days.slice(-length), counts: mapMetrics((recent) => recent), totals: mapMetrics(sum) };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

export const drawUsageCharts = (report: UsageReport, words: Words) => [
  ...drawCharts(report, plainMetrics, words),
  ...drawToolCharts(report, words),
];

export function drawToolCharts(report: UsageReport, words: Words) {
  const called = assistantTools.map(toAssistantMetric).filter((metric) => report.totals[metric] > 0);
  return drawCharts(report, called, words);
}

/** For `partials/chart.eta`; ids begin with the metric. `empty` shows without a drawing. */
function drawCharts(report: UsageReport, metrics: readonly UsageMetric[], { t, locale }: Words) {
  const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const labels = report.days.map((day) => dayFormat.format(new Date(day)));
  return metrics.map((id) => {
    const counts = report.counts[id];
    const title = t(`overview.metrics.${id}`);
    return {
      id,
      title,
      total: report.totals[id],
      note: id === 'zero-result-searches' ? describeShareOfSearches(report, { t, locale }) : '',
      drawing: drawChart(counts),
      empty: t('overview.nothingCounted'),
      summary: summariseChart(counts, labels, { t, locale }),
      days: labels.map((label, day) => ({ label, count: counts[day] ?? 0 })),
    };
  });
}

function describeShareOfSearches({ totals }: UsageReport, { t, locale }: Words): string {
  if (totals.searches === 0) return '';
  const share = totals['zero-result-searches'] / totals.searches;
  return t('overview.ofSearches', {
    share: share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 }),
  });
}

function summariseChart(counts: readonly number[], labels: readonly string[], { t, locale }: Words): string {
  const most = Math.max(...counts);
  const number = (value: number) => value.toLocaleString(locale);
  return t('overview.summary', {
    days: counts.length,
    total: number(sum(counts)),
    most: number(most),
    day: labels[counts.indexOf(most)],
    today: number(counts.at(-1) ?? 0),
  });
}

const MIN_HEIGHT = 2;

/** For `partials/chart.eta`: one unit wide for each day, 100 high, with the numbers of the scale
 *  from the top down to 0. Null where there is nothing to draw. The last number is today's. */
export function drawChart(counts: readonly number[]) {
  const most = Math.max(0, ...counts);
  if (most === 0) return null;
  const top = roundUp(most);
  return {
    bars: counts.map((count, day) => ({
      height: count === 0 ? 0 : Math.max(MIN_HEIGHT, (100 * count) / top),
      isToday: day === counts.length - 1,
    })),
    scale: top === 1 ? [1, 0] : [top, top / 2, 0],
  };
}

function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  const step = [1, 2, 4, 6, 8].find((steps) => steps * power >= count) ?? 10;
  return step * power;
}
