import { createHmac } from 'node:crypto';
import { systemClock } from '#ports/clock';
import type { ConnectedApp } from './world.ts';

/** What is sent to the app. */
export interface Delivery {
  /** What it is, for people: `/learn`, `block_actions learn_page`. */
  readonly about: string;
  readonly contentType: 'application/x-www-form-urlencoded' | 'application/json';
  readonly body: string;
  /** How often it was sent before. */
  readonly retry?: number;
}

/** What came back: within three seconds and with 200, or it counts as failed. */
export interface Ack {
  readonly ok: boolean;
  /** 0 where nothing came in time. */
  readonly status: number;
  readonly tookMs: number;
  /** Parsed where it is JSON, null where it is empty. */
  readonly body: unknown;
  /** Slack's word for what went wrong; null where nothing did. */
  readonly error: 'operation_timeout' | 'dispatch_failed' | null;
  /** What was sent, so that it can be sent again. */
  readonly delivery: Delivery;
}

interface DeliveryDeps {
  readonly ackTimeoutMs: number;
  onProblem(problem: string): void;
}

/** The body of a form in which interactions travel. */
export const payloadForm = (payload: object): string =>
  new URLSearchParams({ payload: JSON.stringify(payload) }).toString();

/** Source: https://docs.slack.dev/authentication/verifying-requests-from-slack. */
export function sign(secret: string, timestamp: number, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

export function createDeliver({ ackTimeoutMs, onProblem }: DeliveryDeps) {
  return async (app: ConnectedApp, delivery: Delivery): Promise<Ack> => {
    const startedAt = performance.now();
    const answer = await post(app, delivery, ackTimeoutMs);
    const tookMs = performance.now() - startedAt;
    const error = answer.status === 0 ? answer.error : answer.status === 200 ? null : 'dispatch_failed';
    if (error !== null) onProblem(`${delivery.about}: ${error}${answer.status ? ` (${answer.status})` : ''}`);
    return { ok: error === null, status: answer.status, tookMs, body: answer.body, error, delivery };
  };
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly error: 'operation_timeout' | 'dispatch_failed';
}

async function post(
  app: ConnectedApp,
  { contentType, body, retry }: Delivery,
  ackTimeoutMs: number,
): Promise<Answered> {
  // The signature is checked against the real time, even where tests hold the clock still.
  const timestamp = Math.floor(systemClock.now().getTime() / 1000);
  const headers = {
    'content-type': contentType,
    'x-slack-request-timestamp': String(timestamp),
    'x-slack-signature': sign(app.signingSecret, timestamp, body),
    ...(retry ? { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': 'http_timeout' } : {}),
  };
  try {
    const signal = AbortSignal.timeout(ackTimeoutMs);
    const response = await fetch(app.eventsUrl, {
      method: 'POST',
      headers,
      body,
      signal,
      redirect: 'manual',
    });
    return { status: response.status, body: readBody(await response.text()), error: 'dispatch_failed' };
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError';
    return { status: 0, body: null, error: isLate ? 'operation_timeout' : 'dispatch_failed' };
  }
}

function readBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
