// npm run bench:encoder [-- --threads 1]
// What a local model takes: loading, a sentence, many at once, labels in the background; beside the same runtime without any of ours.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createOnnxEncoder } from '../src/adapters/onnx/onnx-encoder.ts';
import { loadRuntime } from '../src/adapters/onnx/runtime.ts';
import { findTestModel } from '../test/helpers/test-model.ts';
import { digits, quantile } from './measure.ts';

const { values } = parseArgs({ options: { threads: { type: 'string', default: '1' } } });
const threads = Number(values.threads);
const folder = await findTestModel();
if (folder === null) process.exit(1);

/** 25 words each. */
const sentences = ['cook', 'pilot', 'welder', 'nurse', 'clerk'].flatMap((who) =>
  Array.from(
    { length: 30 },
    (_, n) =>
      `We look for a ${who} who wants to move into data analysis and has some experience with Python, with databases and with reports for managers, number ${n}`,
  ),
);
const labels = sentences.flatMap((text, n) =>
  Array.from(
    { length: 20 },
    (_, part) =>
      `${text
        .split(' ')
        .slice(part % 9, (part % 9) + 2 + (part % 5))
        .join(' ')} ${n}`,
  ),
);

interface Took {
  readonly label: string;
  readonly times: readonly number[];
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly texts: number;
}

async function measure(
  label: string,
  texts: readonly string[],
  encode: (texts: readonly string[]) => Promise<readonly number[]>,
): Promise<Took> {
  const [cpu, beganMs] = [process.cpuUsage(), performance.now()];
  const times = await encode(texts);
  const { user, system } = process.cpuUsage(cpu);
  return {
    label,
    times,
    wallMs: performance.now() - beganMs,
    cpuMs: (user + system) / 1_000,
    texts: texts.length,
  };
}

/** One after the other. */
const inTurn = (encode: (text: string) => Promise<unknown>) => async (texts: readonly string[]) => {
  const times: number[] = [];
  for (const text of texts) {
    const beganMs = performance.now();
    await encode(text);
    times.push(performance.now() - beganMs);
  }
  return times;
};

const rows: object[] = [];

function print({ label, times, wallMs, cpuMs, texts }: Took): void {
  rows.push({ label, p50: quantile(times, 0.5), p99: quantile(times, 0.99), cpuMs: cpuMs / texts, wallMs });
  const latency =
    times.length === 0
      ? ''
      : `p50 ${digits(quantile(times, 0.5), 1)} ms, p95 ${digits(quantile(times, 0.95), 1)} ms, p99 ${digits(quantile(times, 0.99), 1)} ms; `;
  console.log(
    `${label.padEnd(42)} ${latency}${digits(cpuMs / texts, 1)} ms of CPU a text, ${digits((1_000 * texts) / wallMs)} texts/s`,
  );
}

const megabytes = () => process.memoryUsage.rss() / 1e6;

const before = { rss: megabytes(), ms: performance.now() };
const encoder = createOnnxEncoder({
  folder: dirname(folder),
  threads,
  deadlineMs: 60_000,
  onProblem: console.error,
});
while (encoder.model === null) await new Promise((done) => setTimeout(done, 1));
console.log(
  `loaded in ${digits(performance.now() - before.ms)} ms, ${digits(megabytes() - before.rss)} MB more`,
);

const encodeOne = (text: string) => encoder.encode([text], { kind: 'query', tokens: true });
await measure('warm-up', sentences.slice(0, 20), inTurn(encodeOne));
print(await measure('a sentence, one at a time', sentences, inTurn(encodeOne)));
print(
  await measure('a sentence, 8 at a time', sentences, async (texts) => {
    const lanes = Array.from({ length: 8 }, (_, lane) => texts.filter((__, n) => n % 8 === lane));
    return (await Promise.all(lanes.map(inTurn(encodeOne)))).flat();
  }),
);
const inBackground = async (texts: readonly string[]) => {
  await encoder.encode(texts, { kind: 'passage', isBackground: true });
  return [];
};
print(await measure('labels, in the background', labels, inBackground));
const background = inBackground(labels);
print(await measure('a sentence, beside the background', sentences.slice(0, 60), inTurn(encodeOne)));
await background;
console.log(`${digits(megabytes() - before.rss)} MB more than before it was loaded`);
await encoder.close();

print(await measure('the runtime alone, a sentence at a time', sentences, inTurn(await openPeer(folder))));

console.log(JSON.stringify(rows));

/** In this process, text by text, as the runtime's own examples do. */
async function openPeer(model: string): Promise<(text: string) => Promise<unknown>> {
  const { onnx, tokenizers } = loadRuntime();
  const readJson = (name: string) => JSON.parse(readFileSync(join(model, name), 'utf8')) as object;
  const tokenizer = new tokenizers.Tokenizer(
    { ...readJson('tokenizer.json'), truncation: null, padding: null },
    readJson('tokenizer_config.json'),
  );
  const session = await onnx.InferenceSession.create(join(model, 'model.onnx'), {
    intraOpNumThreads: threads,
  });
  return (text) => {
    const ids = BigInt64Array.from(tokenizer.encode(text, { add_special_tokens: true }).ids, BigInt);
    const tensor = (data: BigInt64Array) => new onnx.Tensor('int64', data, [1, data.length]);
    const ones = ids.map(() => 1n);
    return session.run({
      input_ids: tensor(ids),
      attention_mask: tensor(ones),
      token_type_ids: tensor(ids.map(() => 0n)),
    });
  };
}
