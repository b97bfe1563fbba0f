import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { finishInTime } from '#domain/async/deadline';
import { AppError } from '#errors';
import type { Tracing } from '#ports/tracing';

interface OtelOptions {
  /** Of this program. */
  readonly version: string;
  /** Told where the collector takes nothing; the host goes on. */
  onProblem(error: unknown): void;
}

const CLOSE_MS = 2_000;

/** OpenTelemetry over OTLP/HTTP. The libraries read `OTEL_…` from the environment: collector,
 *  sampling and service name. */
export function openOtel({ version, onProblem }: OtelOptions): Tracing {
  const quiet = () => undefined;
  const log = { error: (message: string) => onProblem(new Error(message)), warn: quiet };
  diag.setLogger({ ...log, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.ERROR);
  const named = resourceFromAttributes({ 'service.name': 'skilldock', 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('skilldock', version);
  // Not the global one: what libraries would add of themselves may have words of people in it.
  const contexts = new AsyncLocalStorageContextManager();
  const propagator = new W3CTraceContextPropagator();

  function call(name: string, parent: Context, work: () => unknown): unknown {
    const span = tracer.startSpan(name, {}, parent);
    const done = <T>(value: T): T => {
      span.end();
      return value;
    };
    try {
      const result = contexts.with(trace.setSpan(parent, span), work);
      return result instanceof Promise ? result.then(done, (error) => fail(span, error)) : done(result);
    } catch (error) {
      return fail(span, error);
    }
  }

  return {
    request({ method, headers }, work) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, {
        get: (carrier, key) => carrier[key],
        keys: Object.keys,
      });
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
      span.setAttribute('http.request.method', method);
      const end = (route: string | null, status: number) => {
        if (route !== null) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
      contexts.with(trace.setSpan(parent, span), () => work(end));
    },
    trace<T extends object>(part: string, calls: T): T {
      const traced = Object.entries(calls).map(([name, given]) => {
        if (typeof given !== 'function') return [name, given];
        const inSpan = (...args: unknown[]) => {
          const context = contexts.active();
          // What the host does by itself, every second or so, would drown what people wait for.
          if (trace.getSpan(context) === undefined) return given(...args);
          return call(`${part}.${name}`, context, () => given(...args));
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

/** Its code only: messages name what somebody asked for. */
function fail(span: Span, error: unknown): never {
  const code = error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
  span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  throw error;
}
