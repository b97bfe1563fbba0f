import { expect, test } from 'vitest';
import { limitConcurrency } from '../../../src/domain/async/limit-concurrency.ts';

const tooMany = () => new Error('too many');

const settle = () => new Promise((done) => setImmediate(done));

/** Jobs that end when they are told to. */
function createJobs() {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const job = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, (failure) => (failure === undefined ? resolve(name) : reject(failure)));
    });
  const end = async (name: string, failure?: Error) => {
    await settle();
    ends.get(name)!(failure);
    await settle();
  };
  return { begun, job, end };
}

test('runs a limited number of jobs, the others in order, also when one fails', async () => {
  const run = limitConcurrency({ running: 2, waiting: 10, tooMany });
  const { begun, job, end } = createJobs();
  const results = ['a', 'b', 'c', 'd'].map((name) => run(job(name)).catch(({ message }: Error) => message));
  await end('a', new Error('broken'));
  expect(begun).toEqual(['a', 'b', 'c']);
  results.push(run(job('e')));
  await settle();
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('c');
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  const late = run(job('f'));
  await settle();
  expect(begun).toHaveLength(5);
  await end('d');
  await end('e');
  await end('f');
  expect(await Promise.all([...results, late])).toEqual(['broken', 'b', 'c', 'd', 'e', 'f']);
});

test('runs jobs again after all have ended', async () => {
  const run = limitConcurrency({ running: 1, waiting: 0, tooMany });
  for (const name of ['a', 'b', 'c']) await expect(run(async () => name)).resolves.toBe(name);
});

test('refuses a job when the queue is full', async () => {
  const run = limitConcurrency({ running: 1, waiting: 1, tooMany });
  const { begun, job, end } = createJobs();
  const [first, second] = [run(job('a')), run(job('b'))];
  await expect(run(job('c'))).rejects.toThrow('too many');
  await end('a');
  await end('b');
  await Promise.all([first, second]);
  expect(begun).toEqual(['a', 'b']);
});

test('calls onWait of a waiting job, which may give up', async () => {
  const run = limitConcurrency({ running: 1, waiting: 2, tooMany });
  const { begun, job, end } = createJobs();
  const waits: string[] = [];
  const stop = new AbortController();
  const first = run(job('a'), { onWait: () => waits.push('a') });
  const second = run(job('b'), { signal: stop.signal, onWait: () => waits.push('b') });
  const third = run(job('c'), { signal: stop.signal });
  const fourth = run(job('d'));
  await expect(fourth).rejects.toThrow('too many');
  stop.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
  await expect(third).rejects.toThrow('enough');
  const last = run(job('e'));
  await end('a');
  await end('e');
  expect(await Promise.all([first, last])).toEqual(['a', 'e']);
  expect({ begun, waits }).toEqual({ begun: ['a', 'e'], waits: ['b'] });
});
