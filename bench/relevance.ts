/** `npm run bench:relevance -- --suite NAME --data DIR`: how good the answers are, by judgments. See docs/benchmarks.md. */
import { parseArgs } from 'node:util';
import { digits } from './measure.ts';
import type { RunSuite, SuiteOptions, SuiteRow } from './relevance/suite.ts';
import { required } from './required.ts';

/** Loaded when asked for: each needs other data. */
const suites: Readonly<Record<string, () => Promise<RunSuite>>> = {
  tagger: async () => (await import('./relevance/tagger.ts')).runTagger,
  similar: async () => (await import('./relevance/similar.ts')).runSimilar,
  suggest: async () => (await import('./relevance/suggest.ts')).runSuggest,
  objects: async () => (await import('./relevance/objects.ts')).runObjects,
  needs: async () => (await import('./relevance/needs.ts')).runNeeds,
  'all-needs': async () => (await import('./relevance/needs-all.ts')).runAllNeeds,
  talk: async () => (await import('./relevance/talk.ts')).runTalk,
};

const defaults: Readonly<Record<string, string>> = {
  tagger: '../shared/data/eval',
  similar: '../shared/data/eval/melo_fr_rome_to_esco',
  suggest: '../shared/data',
  objects: 'bench/judgments',
  needs: 'bench/needs',
  'all-needs': 'bench/needs',
  talk: 'bench/talk',
};

const { values } = parseArgs({
  options: {
    suite: { type: 'string', default: '' },
    data: { type: 'string' },
    taxonomies: { type: 'string', default: '../shared/data' },
    ablation: { type: 'boolean', default: false },
    sealed: { type: 'boolean', default: false },
    pool: { type: 'string' },
    opensearch: { type: 'string' },
    catalog: { type: 'string' },
    keep: { type: 'string' },
    against: { type: 'string' },
  },
});
const load = Object.hasOwn(suites, values.suite) ? suites[values.suite] : undefined;
if (load === undefined) {
  console.error(`Name one of the suites: --suite ${Object.keys(suites).join('|')}.`);
  process.exit(2);
}
const options: SuiteOptions = {
  data: values.data ?? required(defaults[values.suite], 'folder of data; name one with --data'),
  taxonomies: values.taxonomies,
  withAblation: values.ablation,
  sealed: values.sealed,
  ...(values.pool !== undefined && { pool: values.pool }),
  ...(values.catalog !== undefined && { catalog: values.catalog }),
  ...(values.keep !== undefined && { keep: values.keep }),
  ...(values.against !== undefined && { against: values.against }),
  ...(values.opensearch !== undefined && { opensearch: values.opensearch }),
};
const rows = await (await load())(options);
print(rows);
console.log(JSON.stringify({ suite: values.suite, rows }));

function print(found: readonly SuiteRow[]): void {
  for (const { name, cases, values: measured } of found) {
    const cells = Object.entries(measured).map(([measure, value]) => `${measure} ${digits(value)}`);
    console.log(`${name.padEnd(40)} ${String(cases).padStart(6)}  ${cells.join('  ')}`);
  }
}
