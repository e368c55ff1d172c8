import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { isAppError } from '@tempera/client-kit';

const SCOPE = 'tempera';
let isOn = false;

/** Whether spans go anywhere; where not, nothing is spent on them. */
export const isTracing = (): boolean => isOn;

export interface TracingOptions {
  /** The program: `api`, `worker`. */
  readonly program: string;
  readonly version: string;
  /** Base address of an OTLP collector over HTTP; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
}

/**
 * Sends spans to a collector from now on; for the start of a program, before connections are opened.
 * @returns hands over what waits, and ends it
 */
export const startTracing = async ({ program, version, endpoint }: TracingOptions): Promise<() => Promise<void>> => {
  // Loaded here, so that a program without a collector carries none of it.
  const [
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { AsyncLocalStorageContextManager },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: 5_000 });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `tempera-${program}`, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: 4_096, exportTimeoutMillis: 5_000 })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  isOn = true;
  return async () => {
    isOn = false;
    await provider.shutdown().catch(() => undefined);
    trace.disable();
    context.disable();
  };
};

/** Begins a span that its caller ends. Attributes are ids, words of ours and numbers: never what people wrote. */
export const beginSpan = (name: string, kind: keyof typeof SpanKind, attributes: Attributes = {}): Span =>
  trace.getTracer(SCOPE).startSpan(name, { kind: SpanKind[kind], attributes });

/** Runs `work` as what happens within a span. */
export const withinSpan = <T>(span: Span, work: () => T): T =>
  context.with(trace.setSpan(context.active(), span), work);

/** Ends a span; of an error only its kind and code, because messages quote. */
export const endSpan = (span: Span, error?: unknown): void => {
  if (error !== undefined) {
    span.setAttribute('error.type', isAppError(error) ? error.code : 'unexpected');
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
};

/** Does `work` within a span of its own. */
export const inSpan = async <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> => {
  if (!isOn) return work();
  const span = beginSpan(name, 'INTERNAL', attributes);
  try {
    const result = await withinSpan(span, work);
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
};

/** The trace at hand, for log lines. */
export const currentTraceId = (): string | undefined =>
  isOn ? trace.getSpan(context.active())?.spanContext().traceId : undefined;
