/** What is counted of each tenant, by day. */
export const usageMetrics = [
  'searches',
  'zero-result-searches',
  'launches',
  'embeds',
  'slack-commands',
  'feedback',
] as const;
export type UsageMetric = (typeof usageMetrics)[number];
