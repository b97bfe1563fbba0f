import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { AppError } from '../src/errors.ts';

test('nothing needs to be set', () => {
  expect(readConfig({})).toMatchObject({ port: 3000, dataDir: './var', trustProxy: 0, logLevel: 'info' });
});

test('an empty value counts as absent', () => {
  expect(readConfig({ PORT: '', PUBLIC_URL: ' ' })).toEqual(readConfig({}));
});

test('PUBLIC_URL loses its last slash', () => {
  expect(readConfig({ PUBLIC_URL: 'https://skills.example.org/' }).publicUrl).toBe(
    'https://skills.example.org',
  );
});

test.each(['foo', 'https://', 'https://a/b', 'https://a/?b', 'https://user@a'])(
  'PUBLIC_URL %s is refused',
  (url) => {
    expect(catchError(() => readConfig({ PUBLIC_URL: url })).problems.map(({ path }) => path)).toContain(
      'PUBLIC_URL',
    );
  },
);

test('every problem is named at once', () => {
  const wrong = {
    PORT: 'x',
    PUBLIC_URL: 'ftp://a',
    SECRET_KEY: 'short',
    LOG_LEVEL: 'loud',
    TRUST_PROXY: '-1',
  };
  const error = catchError(() => readConfig(wrong));
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', kind: 'invalid' });
  expect(error.problems.map(({ path }) => path).sort()).toEqual(Object.keys(wrong).sort());
});

test('a secret is not repeated in the error', () => {
  const error = catchError(() => readConfig({ SECRET_KEY: 'my-very-secret' }));
  expect(JSON.stringify([error.message, error.problems])).not.toContain('my-very-secret');
});

function catchError(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
