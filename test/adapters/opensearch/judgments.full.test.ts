import { describe, expect, test } from 'vitest';
import { runNeeds } from '../../../bench/relevance/needs.ts';
import { runObjects } from '../../../bench/relevance/objects.ts';
import { startOpenSearch } from '../../helpers/opensearch-node.ts';

const node = await startOpenSearch();

describe.skipIf(node === null)('on OpenSearch, judged searches', () => {
  test.each([
    ['bench/needs', runNeeds, 'nDCG@5'],
    ['bench/judgments', runObjects, 'nDCG@10'],
  ] as const)('what %s asks for is found as well as embedded, and the same first', async (data, run, measure) => {
    const rows = await run({ data, taxonomies: '', withAblation: false, catalog: node!.address });
    const find = (row: string, value: string) => rows.find((each) => each.name === row)?.values[value] ?? Number.NaN;
    const there = find('skilldock on OpenSearch: all', measure);
    expect(there).toBeGreaterThan(0.5);
    expect(Math.abs(there - find('skilldock: all', measure))).toBeLessThanOrEqual(0.02);
    expect(find('on OpenSearch and here', 'same first')).toBeGreaterThanOrEqual(0.9);
  });
});
