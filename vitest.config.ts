import { fileURLToPath } from 'node:url';
import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';

const room = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Rooms resolve to their sources, so that a test never runs against a stale build. */
const alias = [
  { find: '@tempera/platform/temporal/contract', replacement: room('libs/platform/src/temporal/contract.ts') },
  { find: '@tempera/core', replacement: room('libs/core/src/index.ts') },
  { find: '@tempera/platform', replacement: room('libs/platform/src/index.ts') },
  { find: '@tempera/client-kit/mcp', replacement: room('libs/client-kit/src/mcp/index.ts') },
  { find: '@tempera/client-kit', replacement: room('libs/client-kit/src/index.ts') },
  // Node takes this file; Vite would take index.mjs beside it, and a scalar of one copy is no scalar to the other.
  { find: /^graphql$/, replacement: room('node_modules/graphql/index.js') },
];

// Nest needs decorator metadata, which Vite's own transformer does not emit.
const decorators = swc.vite({
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
  },
  module: { type: 'es6' },
});

/** A full run has a hundred times the attempts of a short one; its layer as a whole is limited by test/run.mjs. */
const inTime = (milliseconds: number): number => (process.env['TEMPERA_FULL'] === '1' ? 7_200_000 : milliseconds);
const timeoutOf = (milliseconds: number): { testTimeout: number } => ({ testTimeout: inTime(milliseconds) });

const layer = (name: string, include: string[], extra: object = {}): object => ({
  plugins: [decorators],
  oxc: false,
  resolve: { alias },
  test: { name, include, environment: 'node', ...timeoutOf(20_000), hookTimeout: inTime(120_000), ...extra },
});

// Suites with a server of their own run one file at a time: two cores, and a Temporal server each.
const oneAtATime = { pool: 'forks', fileParallelism: false };

export default defineConfig({
  test: {
    // Vitest leaves one core free; ours are two, and most of a suite is waiting for its database.
    maxWorkers: 2,
    projects: [
      layer('unit', [
        'libs/**/src/**/*.test.ts',
        'apps/**/src/**/*.test.ts',
        'infra/**/*.test.ts',
        'test/contract/**/*.test.ts',
      ]),
      layer('integration', ['test/integration/**/*.test.ts'], { pool: 'forks', ...timeoutOf(60_000) }),
      layer('tenancy', ['test/tenancy/**/*.test.ts'], { pool: 'forks', ...timeoutOf(120_000) }),
      layer('workflows', ['test/workflows/**/*.test.ts'], { ...oneAtATime, ...timeoutOf(120_000) }),
      layer('faults', ['test/faults/**/*.test.ts'], { ...oneAtATime, ...timeoutOf(180_000) }),
      layer('client', ['test/client/**/*.test.ts'], { ...oneAtATime, ...timeoutOf(300_000) }),
      layer('e2e', ['test/e2e/**/*.test.ts'], { ...oneAtATime, ...timeoutOf(180_000) }),
    ],
  },
} as Parameters<typeof defineConfig>[0]);
