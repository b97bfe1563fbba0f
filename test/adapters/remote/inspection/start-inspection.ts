import { afterAll, afterEach, beforeEach } from 'vitest';
import { createInspector } from '../../../../src/adapters/remote/inspection/inspection.ts';
import type {
  Inspection,
  InspectOptions,
  UpstreamConnection,
  UpstreamInspector,
} from '../../../../src/ports/upstream.ts';
import {
  type FakeUpstream,
  type FakeUpstreamOptions,
  startFakeUpstream,
  UPSTREAM_KEY,
} from '../../../fakes/upstream.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are of the wire, and tests change them at any depth.
export type Body = any;

const unasked =
  'publisher ageMax ageMin learningTimeMax learningTimeMin levelMax levelMin popularityMin address distanceMax free author';

/** A reply of the fake with the one thing it does not do by itself, which is to repeat what was not asked, and with what a
 *  test makes of that. */
export function fullEcho(spoil: (body: Body) => void = () => {}): { change(body: Body): object } {
  return {
    change(body) {
      for (const name of unasked.split(' ')) body.request[name] ??= '';
      spoil(body);
      return body;
    },
  };
}

export interface UsedInspection {
  upstream: FakeUpstream;
  /** Another fake in its place. */
  restart(options: FakeUpstreamOptions): Promise<void>;
  /** With the right key, if nothing else is said. */
  inspect(connection?: UpstreamConnection, options?: InspectOptions): Promise<Inspection[]>;
}

/** An inspector, and a fake upstream without any deviation for each test. */
export function useInspection(): UsedInspection {
  const inspector = createInspector({ timeoutMs: 5_000 });
  afterAll(() => inspector.close());
  const used = {
    async restart(options: FakeUpstreamOptions) {
      await used.upstream?.close();
      used.upstream = await startFakeUpstream(options);
      used.upstream.reply('search-provider', fullEcho());
    },
    inspect: (
      connection: UpstreamConnection = { url: used.upstream.url, apiKey: UPSTREAM_KEY },
      options: InspectOptions = {},
    ) => collect(inspector, connection, options),
  } as UsedInspection;
  beforeEach(() => used.restart({}));
  afterEach(() => used.upstream.close());
  return used;
}

export async function collect(
  inspector: UpstreamInspector,
  connection: UpstreamConnection,
  options?: InspectOptions,
): Promise<Inspection[]> {
  const calls: Inspection[] = [];
  for await (const call of inspector.inspect(connection, options)) calls.push(call);
  return calls;
}

/** `operation path: problem` of each. */
export function found(calls: readonly Inspection[], severity: 'deviation' | 'note'): string[] {
  return calls.flatMap(({ operation, findings }) =>
    findings
      .filter((finding) => finding.severity === severity)
      .map(({ path, problem }) => `${operation} ${path}: ${problem}`),
  );
}
