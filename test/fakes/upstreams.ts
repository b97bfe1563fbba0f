import type { UpstreamCall, UpstreamConnection, Upstreams } from '../../src/ports/upstream.ts';
import { createFakeLearningService, type FakeLearningService } from './learning-service.ts';

export interface FakeUpstreams extends Upstreams {
  /** What was connected to and tested, in order. */
  readonly connected: UpstreamConnection[];
  readonly tested: UpstreamConnection[];
  /** Every upstream is this one service; tests change what it does. */
  readonly service: FakeLearningService;
}

/** Ways to upstreams that are all one fake service; nothing is called. */
export function createFakeUpstreams(): FakeUpstreams {
  const service = createFakeLearningService();
  const connected: UpstreamConnection[] = [];
  const tested: UpstreamConnection[] = [];
  return {
    connected,
    tested,
    service,
    connect(connection) {
      connected.push(connection);
      return service;
    },
    async test(connection) {
      tested.push(connection);
      return [callOf(connection)];
    },
  };
}

function callOf({ url }: UpstreamConnection): UpstreamCall {
  return { operation: 'provider', url, outcome: 'ok', status: 200, milliseconds: 1, detail: null };
}
