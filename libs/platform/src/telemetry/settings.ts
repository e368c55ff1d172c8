import { z } from 'zod';

/** Where a program tells how it fares; absent: nowhere. */
export interface TelemetrySettings {
  /** The listener of `/metrics`. */
  readonly metrics?: { readonly host: string; readonly port: number };
  /** Base address of an OTLP collector over HTTP. */
  readonly traceEndpoint?: string;
}

/** Empty, as compose writes what is not set. */
const optional = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((text) => (text === '' ? undefined : text), shape.optional());

/** The variables of every program that can be watched; 0 is any free port, for tests. */
export const telemetryVariables = {
  METRICS_HOST: z.string().trim().min(1, 'is empty').default('127.0.0.1'),
  METRICS_PORT: optional(
    z.coerce.number('is no number').int('is no whole number').min(0, 'is below 0').max(65535, 'is above 65535'),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(z.url({ protocol: /^https?$/, error: 'is no http address' })),
};

type Environment = z.output<z.ZodObject<typeof telemetryVariables>>;

export const telemetrySettingsOf = ({
  METRICS_HOST: host,
  METRICS_PORT: port,
  OTEL_EXPORTER_OTLP_ENDPOINT: traceEndpoint,
}: Environment): TelemetrySettings => ({
  ...(port === undefined ? {} : { metrics: { host, port } }),
  ...(traceEndpoint === undefined ? {} : { traceEndpoint }),
});
