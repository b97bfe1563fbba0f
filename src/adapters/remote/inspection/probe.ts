import type { Operation } from '#contract/index';
import { AppError } from '#errors';
import type { Inspection, UpstreamConnection } from '#ports/upstream';
import { type Question, toAskedCall } from '../ask.ts';
import type { Answer, Send } from '../call.ts';
import { hideKeys, toLine } from '../explain.ts';
import { showOutcomeAddress } from '../outcomes.ts';
import { countRuleRemarks, makeRuleDeviation, type Remark } from './rules.ts';

/** One call to be made and judged. */
export interface Trial {
  readonly operation: Operation;
  /** Empty for the plain call of an operation. */
  readonly purpose: string;
  readonly question?: Question;
  /** Which key is sent, where the operation takes one: by default that of the connection. */
  readonly key?: 'none' | 'wrong';
  judge(answer: Answer): Verdict;
}

export interface Verdict {
  readonly remarks: readonly Remark[];
  /** The JSON of a success, for the calls that follow; undefined where there is none. */
  readonly body?: unknown;
}

export interface Probed {
  readonly inspection: Inspection;
  readonly body: unknown;
}

/** Makes a call and judges what comes back. Never rejects for what the service does. */
export type Probe = (trial: Trial) => Promise<Probed>;

const WRONG_KEY = 'not-a-key-of-this-service';

export function createProbe(connection: UpstreamConnection, send: Send): Probe {
  const clean = (text: string) => toLine(hideKeys(text, connection)) ?? '';
  return async ({ operation, purpose, question, key, judge }) => {
    const startedAt = performance.now();
    const { verdict, status, isAsked } = await run(
      toAskedCall(withKey(connection, key), operation, question),
      send,
      judge,
    );
    const inspection: Inspection = {
      operation: operation.name,
      purpose,
      url: showOutcomeAddress(connection, operation),
      status,
      milliseconds: Math.round(performance.now() - startedAt),
      isAsked,
      findings: countRuleRemarks(verdict.remarks, clean),
    };
    return { inspection, body: verdict.body };
  };
}

async function run(
  call: Parameters<Send>[0],
  send: Send,
  judge: Trial['judge'],
): Promise<{ verdict: Verdict; status: number | null; isAsked: boolean }> {
  try {
    const answer = await send(call);
    return { verdict: judge(answer), status: answer.status, isAsked: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'UPSTREAM_PAUSED') return { verdict: { remarks: [] }, status: null, isAsked: false };
    const { status } = error.data;
    const remarks = [makeRuleDeviation('call', error.message)];
    return { verdict: { remarks }, status: typeof status === 'number' ? status : null, isAsked: true };
  }
}

function withKey({ url, apiKey, marketplace }: UpstreamConnection, key: Trial['key']): UpstreamConnection {
  const [own, gateway] = { none: [], wrong: [WRONG_KEY, WRONG_KEY], given: [apiKey, marketplace?.key] }[
    key ?? 'given'
  ];
  return {
    url,
    ...(own !== undefined && { apiKey: own }),
    ...(marketplace && {
      marketplace: { url: marketplace.url, ...(gateway !== undefined && { key: gateway }) },
    }),
  };
}
