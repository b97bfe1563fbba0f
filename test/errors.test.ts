import { readFileSync } from 'node:fs';
import type { Request, Response } from 'express';
import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode, errorKinds } from '../src/errors.ts';
import { answerErrors } from '../src/faces/api/api-face.ts';

interface Row {
  readonly code: string;
  readonly kind: string;
  readonly status: string;
}

/** Entries that begin with an upper-case code. */
const rows = Array.from(
  readFileSync('docs/errors.md', 'utf8').matchAll(/^- `([A-Z][A-Z_]+)` \(`(\w+)`, (\w+)\):/gm),
  ([, code = '', kind = '', status = '']): Row => ({ code, kind, status }),
);

describe('docs/errors.md', () => {
  test('has exactly one entry for each code, and no other', () => {
    expect(rows.map(({ code }) => code).sort()).toEqual(Object.keys(errorKinds).sort());
  });

  test.each(rows)('$code is of the kind $kind', ({ code, kind }) => {
    expect(kind).toBe(errorKinds[code as ErrorCode]);
  });

  test.each(rows.filter(({ status }) => status !== 'none'))('$code answers with $status', (row) => {
    expect(String(statusOf(row.code as ErrorCode))).toBe(row.status);
  });
});

/** The status that the API answers with. */
function statusOf(code: ErrorCode): number {
  let given = 0;
  const response = {
    headersSent: false,
    set: () => response,
    json: () => response,
    status(status: number) {
      given = status;
      return response;
    },
  };
  const request = { id: 'reference' } as unknown as Request;
  answerErrors(new AppError(code, 'what happened'), request, response as unknown as Response, () => {});
  return given;
}
