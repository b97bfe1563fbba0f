import { DiagLogLevel, diag, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { finishInTime } from '#domain/async/deadline';
import { AppError } from '#errors';
import type { NameCall, Tracing } from '#ports/tracing';

const CLOSE_MS = 2_000;

/** Exports traces by OTLP over HTTP. The libraries read `OTEL_…` from the environment.
 *  @param onProblem is called if the collector fails; the host continues */
export function openOtel({
  version,
  onProblem,
}: {
  readonly version: string;
  onProblem(error: unknown): void;
}): Tracing {
  const doNothing = () => undefined;
  const log = { error: (message: string) => onProblem(new Error(message)), warn: doNothing };
  diag.setLogger({ ...log, info: doNothing, debug: doNothing, verbose: doNothing }, DiagLogLevel.ERROR);
  const named = resourceFromAttributes({ 'service.name': 'skilldock', 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('skilldock', version);
  // Not the global one: spans of libraries may contain words of people.
  const contexts = new AsyncLocalStorageContextManager();
  const propagator = new W3CTraceContextPropagator();

  return {
    request({ method, headers }, work) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, {
        get: (carrier, key) => carrier[key],
        keys: Object.keys,
      });
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
      span.setAttribute('http.request.method', method);
      const endSpan = (route: string | null, status: number) => {
        if (route !== null) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
      contexts.with(trace.setSpan(parent, span), () => work(endSpan));
    },
    trace<T extends object>(part: string, calls: T, nameCall: NameCall = (call) => call): T {
      const traced = Object.entries(calls).map(([name, call]) => {
        if (typeof call !== 'function') return [name, call];
        const inSpan = (...args: unknown[]) => {
          const context = contexts.active();
          // Without a request: the frequent work of the host itself would bury everything else.
          if (trace.getSpan(context) === undefined) return call(...args);
          const span = tracer.startSpan(`${part}.${nameCall(name, args)}`, {}, context);
          return runInOtelSpan(span, () => contexts.with(trace.setSpan(context, span), () => call(...args)));
        };
        return [name, inSpan];
      });
      return Object.fromEntries(traced) as T;
    },
    async close() {
      // A collector that does not answer must not keep the host from ending.
      await finishInTime(provider.shutdown().catch(onProblem), CLOSE_MS);
      diag.disable();
    },
  };
}

function runInOtelSpan(span: Span, work: () => unknown): unknown {
  const endSpan = <T>(value: T): T => {
    span.end();
    return value;
  };
  try {
    const result = work();
    return result instanceof Promise ? result.then(endSpan, (error) => failOtelSpan(span, error)) : endSpan(result);
  } catch (error) {
    return failOtelSpan(span, error);
  }
}

/** Marks a span as failed with the code only, as messages may contain the content of requests. */
function failOtelSpan(span: Span, error: unknown): never {
  const name = error instanceof Error ? error.name : 'unknown';
  span
    .setAttribute('error.type', error instanceof AppError ? error.code : name)
    .setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  throw error;
}
