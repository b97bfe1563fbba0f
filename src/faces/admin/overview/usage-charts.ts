import { assistantTools, toAssistantMetric } from '#domain/assistants';
import { type UsageMetric, usageMetrics } from '#domain/tenant';
import type { UsageReport } from '#services/host/usage';
import type { PageContext } from '../route.ts';

export const CHART_DAYS = 30;

/** The metrics in the order of the page. The tools that were called follow them. */
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

export function drawUsageNumbers(report: UsageReport, { t, locale }: Words) {
  return keyMetrics.map((metric) => {
    const counts = report.counts[metric];
    const recent = counts.slice(-CHART_DAYS);
    const total = sumUsage(recent);
    const totalBefore = sumUsage(counts.slice(0, -CHART_DAYS));
    const most = Math.max(1, ...recent);
    return {
      metric,
      total,
      ...describeUsageChange(totalBefore, total, { t, locale }),
      points: recent.map((count, day) => `${day},${(30 - (28 * count) / most).toFixed(1)}`).join(' '),
    };
  });
}

function describeUsageChange(totalBefore: number, total: number, { t, locale }: Words) {
  if (totalBefore === 0) return { trend: 'none', change: '' };
  const change = (total / totalBefore - 1).toLocaleString(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const direction = total > totalBefore ? 'up' : 'down';
  return { trend: total === totalBefore ? 'none' : direction, change: t('overview.change', { change }) };
}

export function cutUsageReport({ days, counts }: UsageReport, length: number): UsageReport {
  const recent = {} as Record<UsageMetric, readonly number[]>;
  const totals = {} as Record<UsageMetric, number>;
  for (const metric of usageMetrics) {
    recent[metric] = counts[metric].slice(-length);
    totals[metric] = sumUsage(recent[metric]);
  }
  return { days: days.slice(-length), counts: recent, totals };
}

const sumUsage = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

export const drawUsageCharts = (report: UsageReport, words: Words) => [
  ...drawMetricCharts(report, plainMetrics, words),
  ...drawToolUsageCharts(report, words),
];

export function drawToolUsageCharts(report: UsageReport, words: Words) {
  const called = assistantTools.map(toAssistantMetric).filter((metric) => report.totals[metric] > 0);
  return drawMetricCharts(report, called, words);
}

/** Makes the models of `partials/chart.eta`. A chart without a drawing shows `empty`. */
function drawMetricCharts(report: UsageReport, metrics: readonly UsageMetric[], { t, locale }: Words) {
  const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const labels = report.days.map((day) => dayFormat.format(new Date(day)));
  return metrics.map((id) => {
    const counts = report.counts[id];
    const title = t(`overview.metrics.${id}`);
    return {
      id,
      title,
      total: report.totals[id],
      note: id === 'zero-result-searches' ? describeUsageShare(report, { t, locale }) : '',
      drawing: drawUsageChart(counts),
      empty: t('overview.nothingCounted'),
      summary: summariseUsageChart(counts, labels, { t, locale }),
      days: labels.map((label, day) => ({ label, count: counts[day] ?? 0 })),
    };
  });
}

function describeUsageShare({ totals }: UsageReport, { t, locale }: Words): string {
  if (totals.searches === 0) return '';
  const share = totals['zero-result-searches'] / totals.searches;
  return t('overview.ofSearches', {
    share: share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 }),
  });
}

function summariseUsageChart(counts: readonly number[], labels: readonly string[], { t, locale }: Words): string {
  const most = Math.max(...counts);
  const formatNumber = (value: number) => value.toLocaleString(locale);
  return t('overview.summary', {
    days: counts.length,
    total: formatNumber(sumUsage(counts)),
    most: formatNumber(most),
    day: labels[counts.indexOf(most)],
    today: formatNumber(counts.at(-1) ?? 0),
  });
}

const MIN_HEIGHT = 2;

/** Draws the bars of a chart, 100 units high, with the numbers of the scale from the top down to 0;
 *  null if there is nothing to draw. @param counts one for each day, the last one today's */
export function drawUsageChart(counts: readonly number[]) {
  const most = Math.max(0, ...counts);
  if (most === 0) return null;
  const top = roundUpChartScale(most);
  return {
    bars: counts.map((count, day) => ({
      height: count === 0 ? 0 : Math.max(MIN_HEIGHT, (100 * count) / top),
      isToday: day === counts.length - 1,
    })),
    scale: top === 1 ? [1, 0] : [top, top / 2, 0],
  };
}

function roundUpChartScale(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  const step = [1, 2, 4, 6, 8].find((steps) => steps * power >= count) ?? 10;
  return step * power;
}
