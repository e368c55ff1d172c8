export { type Counter, counter, durations, type Gauge, gauge, type Histogram, metrics } from './metrics.js';
export { apart } from './apart.js';
export { type TelemetrySettings, telemetrySettingsOf, telemetryVariables } from './settings.js';
export { applicationName, currentRequestId, MAX_REQUEST_ID, withRequestId } from './request-id.js';
export { type MetricsServer, type MetricsServerOptions, serveMetrics } from './serve-metrics.js';
export {
  beginSpan,
  currentTraceId,
  endSpan,
  inSpan,
  isTracing,
  startTracing,
  type TracingOptions,
  withinSpan,
} from './tracing.js';
export { type Refresh, type WatchedProgram, whileWatched } from './watched.js';
