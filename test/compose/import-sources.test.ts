import { expect, test } from 'vitest';
import { fromProcessError, toProcessError } from '../../src/compose/import-sources.ts';
import { createLog } from '../../src/compose/log.ts';
import { readConfig } from '../../src/config.ts';
import { AppError, isDiskFullError } from '../../src/errors.ts';
import { PositionLost } from '../../src/ports/imports.ts';

/** As it arrives from another process. */
const cross = (error: unknown) => fromProcessError(structuredClone(toProcessError(error)));

test('an error keeps its causes, which the log of the host shows, but for secrets', () => {
  const full = Object.assign(new Error('write to sk_0123456789abcdef failed'), { code: 'ENOSPC' });
  const cause = new Error('the records could not be kept', { cause: full });
  const problems = [{ path: 'row', problem: 'a number' }];
  const told = cross(new AppError('SOURCE_UNAVAILABLE', 'It cannot be read.', { cause, problems, data: { a: 1 } }));
  expect(told).toBeInstanceOf(AppError);
  expect(told).toMatchObject({
    code: 'SOURCE_UNAVAILABLE',
    problems,
    data: { a: 1 },
    cause: { message: cause.message },
  });
  expect(isDiskFullError(told)).toBe(true);
  const lines: string[] = [];
  createLog(readConfig({}), { write: (line) => lines.push(line) }).log.error({ err: told }, 'import');
  expect(lines.join('')).toMatch(/caused by: Error: the records could not be kept.*caused by: Error: write to sk_•••/);
});

test('an error that is its own cause ends', () => {
  const error = new Error('round');
  error.cause = error;
  expect(cross(error)).toMatchObject({ message: 'round', cause: { message: 'round' } });
});

test('what is no error, and a lost position, arrive as they are', () => {
  expect(cross('words')).toMatchObject({ message: 'words' });
  expect(cross(new PositionLost('gone'))).toBeInstanceOf(PositionLost);
});
