import { Agent } from 'undici';
import { findMisfits, type Misfit, type Operation, operations, specifiedSearchResponse } from '#contract/index';
import { isOpenAddress } from '#domain/address-kinds';
import { AppError } from '#errors';
import type { Feedback } from '#ports/learning-service';
import type { Finding, Inspection, InspectOptions, UpstreamConnection, UpstreamInspector } from '#ports/upstream';
import {
  type Answer,
  createCall,
  locateEndpoint,
  type Question,
  SAMPLE_WORD,
  type Send,
  showEndpoint,
} from './call.ts';
import { explain, hideKeys, toLine } from './explain.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { createSend } from './send.ts';
import { sampleQuery } from './test-connection.ts';
import { isSilenceError } from './transport-errors.ts';

/** @param timeoutMs of a whole call; 10,000 by default */
export function createInspector({ timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {}): UpstreamInspector & {
  close(): Promise<void>;
} {
  const agent = new Agent({ connect: createGuardedConnector({ isAllowed: isOpenAddress, timeoutMs }) });
  const send = createSend({ dispatcher: agent, timeoutMs });
  return {
    inspect: (connection, options) => inspectUpstream({ connection, send, silentCalls: new Map() }, options),
    close: () => agent.destroy(),
  };
}

interface Target {
  readonly connection: UpstreamConnection;
  readonly send: Send;
  /** Unanswered calls by host; minus infinity once the host has answered one. */
  readonly silentCalls: Map<string, number>;
}

const TEXT =
  'You will plan projects, lead a small team, keep the budget and report to customers. Good written communication is expected.';

/** One provider that has something for the sample word is enough. */
const MAX_PROVIDERS = 5;

async function* inspectUpstream(
  target: Target,
  { withFeedback = false }: InspectOptions = {},
): AsyncGenerator<Inspection> {
  // Throws where the address or a key cannot be used at all.
  for (const operation of Object.values(operations)) locateEndpoint(target.connection, operation);

  const providers = await inspectCall(target, { operation: operations.listProviders });
  yield providers.inspection;
  for (const operation of [operations.listTypes, operations.listBlooms, operations.listLanguages])
    yield (await inspectCall(target, { operation })).inspection;
  const { similar, tagger, suggest, searchProvider, feedback } = operations;
  yield* inspectKeyed(target, similar, similar.writeRequest({ keywords: SAMPLE_WORD, lang: 'en' }));
  yield* inspectKeyed(target, tagger, tagger.writeRequest({ text: TEXT, lang: 'en' }));
  yield* inspectKeyed(target, suggest, suggest.writeRequest({ keywords: SAMPLE_WORD }));

  let search: unknown;
  let question: Question = {};
  for (const provider of findProviders(providers.body)) {
    question = searchProvider.writeRequest({ ...sampleQuery, providers: [provider], max: 5 });
    const { inspection, body } = await inspectCall(target, {
      operation: searchProvider,
      purpose: `provider ${provider}`,
      question,
    });
    search = body;
    yield inspection;
    if (body === undefined || createFeedback(body) !== null) break;
  }
  yield* inspectRefusals(target, searchProvider, question);

  const draft = createFeedback(search);
  if (withFeedback && draft !== null) yield* inspectKeyed(target, feedback, feedback.writeRequest(draft));
}

/** Without a list of providers, the default of the specification. */
function findProviders(body: unknown): readonly string[] {
  const ids = tryRead(() => operations.listProviders.readAnswer(body))?.map(({ id }) => id) ?? [];
  return ids.length > 0 ? ids.slice(0, MAX_PROVIDERS) : ['youtube'];
}

/** On the first learning object of a search; null where there is none. */
function createFeedback(body: unknown): Feedback | null {
  const search = tryRead(() => operations.searchProvider.readAnswer(body));
  const [object] = search?.content ?? [];
  if (search === null || object === undefined) return null;
  return {
    url: object.url,
    requestId: search.requestId,
    comment: 'A test of the interface. Please ignore it.',
    email: 'skilldock@example.org',
    source: 'https://example.org/skilldock-doctor',
  };
}

/** Null for an invalid answer; the findings have the reason. */
function tryRead<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}

async function* inspectKeyed(target: Target, operation: Operation, question: Question): AsyncGenerator<Inspection> {
  yield (await inspectCall(target, { operation, question })).inspection;
  yield* inspectRefusals(target, operation, question);
}

async function* inspectRefusals(target: Target, operation: Operation, question: Question): AsyncGenerator<Inspection> {
  for (const key of ['none', 'wrong'] as const)
    yield (await inspectCall(target, { operation, question, key })).inspection;
}

const WRONG_KEY = 'not-a-key-of-this-service';

const keyPurposes = { none: 'without a key', wrong: 'with a wrong key' } as const;

interface Trial {
  readonly operation: Operation;
  readonly question?: Question;
  readonly purpose?: string;
  /** Replaces that of the connection; the call should then be refused. */
  readonly key?: keyof typeof keyPurposes;
}

interface Inspected {
  readonly inspection: Inspection;
  /** JSON of a success; else undefined. */
  readonly body: unknown;
}

/** Failures of the service become findings. */
async function inspectCall(
  { connection, send, silentCalls }: Target,
  { operation, question, purpose = '', key }: Trial,
): Promise<Inspected> {
  const call = createCall(key === undefined ? connection : withKey(connection, key), operation, question);
  const startedAt = performance.now();
  const finish = (result: Pick<Inspection, 'status' | 'isAsked'>, remarks: readonly Remark[]): Inspection => ({
    operation: operation.name,
    purpose: key === undefined ? purpose : keyPurposes[key],
    url: showEndpoint(connection, operation),
    milliseconds: Math.round(performance.now() - startedAt),
    ...result,
    findings: countRemarks(remarks, connection),
  });
  const { host } = call.url;
  if ((silentCalls.get(host) ?? 0) >= MAX_SILENT)
    return { inspection: finish({ status: null, isAsked: false }, []), body: undefined };
  try {
    const answer = await send(call);
    silentCalls.set(host, Number.NEGATIVE_INFINITY);
    const remarks = key === undefined ? judgeAnswer(operation, answer) : judgeRefusal(answer);
    const body = answer.effectiveStatus === 200 ? answer.body : undefined;
    return { inspection: finish({ status: answer.status, isAsked: true }, remarks), body };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    silentCalls.set(host, (silentCalls.get(host) ?? 0) + countSilence(error));
    const { status } = error.data;
    const remarks = [deviation('call', error.message)];
    return {
      inspection: finish({ status: typeof status === 'number' ? status : null, isAsked: true }, remarks),
      body: undefined,
    };
  }
}

function withKey({ url, marketplace }: UpstreamConnection, key: 'none' | 'wrong'): UpstreamConnection {
  const isNone = key === 'none';
  return {
    url,
    ...(!isNone && { apiKey: WRONG_KEY }),
    ...(marketplace && { marketplace: { url: marketplace.url, ...(!isNone && { key: WRONG_KEY }) } }),
  };
}

/** Unanswered calls before a silent host is given up: one may be the fault of its operation. */
const MAX_SILENT = 3;

/** Weight of an error for `MAX_SILENT`: a host that refuses connections is given up at once. */
function countSilence(error: AppError): number {
  // There was an answer, even if it is wrong.
  if (!isSilenceError(error)) return Number.NEGATIVE_INFINITY;
  const isUnmade = error.code === 'UPSTREAM_UNREACHABLE' && error.data.connection !== 'broken';
  return isUnmade ? MAX_SILENT : 1;
}

/** A finding before equal ones are counted together. */
type Remark = Omit<Finding, 'times'>;

const deviation = (path: string, problem: string): Remark => ({ severity: 'deviation', path, problem });

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

function judgeAnswer(operation: Operation, answer: Answer): readonly Remark[] {
  const { status, effectiveStatus, text, body, headers } = answer;
  const isFeedback = operation === operations.feedback;
  const isSuccess = effectiveStatus === 200 || (isFeedback && effectiveStatus > 200 && effectiveStatus < 300);
  if (!isSuccess) {
    const reason = explain(text);
    const reasonText = reason === null ? '' : ` (the service says: ${reason})`;
    const path = status === effectiveStatus ? 'status' : 'statusCode';
    return [deviation(path, `expected 200${reasonText}, found number ${effectiveStatus}`)];
  }
  // The specification shows no answer to a feedback.
  if (isFeedback) return [];
  if (body === undefined) return [deviation('body', `expected JSON, found ${describeValue(explain(text) ?? '')}`)];
  const { 'content-type': type = '' } = headers;
  const wrongType = deviation('header content-type', `expected application/json, found ${describeValue(type)}`);
  return [...(JSON_TYPE.test(type) ? [] : [wrongType]), ...judgeBody(operation, body)];
}

function judgeBody(operation: Operation, body: unknown): readonly Remark[] {
  const bare = Array.isArray(body) ? operation.bareResponse : undefined;
  const specified = operation === operations.searchProvider ? specifiedSearchResponse : operation.response;
  const { statusCode } = (body ?? {}) as { readonly statusCode?: unknown };
  const isOtherStatus = typeof statusCode === 'number' && statusCode !== 200;
  return [
    ...(bare === undefined ? [] : [note('body', 'is a bare array; the specification does not show the form')]),
    ...(isOtherStatus ? [deviation('statusCode', `expected 200, found number ${statusCode}`)] : []),
    ...findMisfits(bare ?? specified, body).map(toRemark),
  ];
}

/** Any status from 400 to 499 refuses a call without a good key. */
function judgeRefusal({ status, effectiveStatus }: Answer): readonly Remark[] {
  if (effectiveStatus < 400 || effectiveStatus > 499)
    return [deviation('status', `expected a refusal, 400 to 499, found number ${status}`)];
  return status === effectiveStatus ? [] : [note('status', `is a success around a refusal, ${effectiveStatus}`)];
}

const note = (path: string, problem: string): Remark => ({ severity: 'note', path, problem });

function toRemark({ path, rule, found, isUnspecified }: Misfit): Remark {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  const where = steps.join('').replace(/^\./, '') || 'body';
  if (found === undefined) return deviation(where, `is missing; ${rule}`);
  return (isUnspecified ? note : deviation)(where, `${rule}, found ${describeValue(found)}`);
}

const MAX_SHOWN = 80;

/** @example describeValue('true') // 'string "true"' */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (value === null || typeof value === 'object') return value === null ? 'null' : 'object';
  const json = JSON.stringify(value);
  const cut = json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json;
  return `${typeof value} ${cut}`;
}

/** Counts equal remarks of many items as one finding; the first one is shown. */
function countRemarks(remarks: readonly Remark[], connection: UpstreamConnection): readonly Finding[] {
  const clean = (text: string) => toLine(hideKeys(text, connection)) ?? '';
  const byRule = new Map<string, Finding>();
  for (const { severity, path, problem } of remarks) {
    const place = path.replaceAll(/\[\d+\]/g, '[]');
    const rule = [severity, place, problem.replace(/, found .*$/s, '')].join('\n');
    const first = byRule.get(rule) ?? { severity, path: clean(path), problem: clean(problem), times: 0 };
    byRule.set(rule, { ...first, times: first.times + 1 });
  }
  return [...byRule.values()];
}
