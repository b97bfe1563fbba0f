import type { Answer, Call } from '../../../../src/adapters/remote/call.ts';
import { AppError } from '../../../../src/errors.ts';

/** A call of something that only reads, with a key. */
export function aCall(changes: Partial<Call> = {}): Call {
  return {
    operation: 'suggest',
    method: 'GET',
    url: new URL('http://api.example.org/domcomp/v1/suggest'),
    key: { name: 'x-api-key', value: 'a-key' },
    ...changes,
  };
}

export function answerOf(status: number, headers: Answer['headers'] = {}): Answer {
  return { status, effectiveStatus: status, text: '{}', body: {}, headers };
}

export function unreachable(connection: 'unmade' | 'broken' | 'hopeless'): AppError {
  return new AppError('UPSTREAM_UNREACHABLE', 'Not there.', { data: { connection } });
}

/** Something that ends when the test says so. */
export function createGate<T>() {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
