import type { Driven } from './drive.js';
import type { Growth } from './growth.js';
import type { LoadReport } from './load-run.js';
import type { Times } from './times.js';

type Cell = string | number;

/** A table as Markdown has it, which reads well enough on a terminal. */
export const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const all = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, at) => Math.max(3, ...all.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...all.slice(1).map(line)].join('\n');
};

const ms = (value: number): string => value.toFixed(1);
const quantiles = ({ p50, p95, p99 }: Times): string[] => [ms(p50), ms(p95), ms(p99)];

const STAGES = {
  retrieve: [
    'request auth',
    'request limits',
    'retrieve embed',
    'retrieve search',
    'retrieve rank',
    'retrieve choose',
    'retrieve read',
    'retrieve record',
  ],
  capture: ['request auth', 'request limits', 'capture embed', 'capture queue', 'capture look', 'capture keep'],
} as const;

const byClients = (work: keyof typeof STAGES, driven: readonly Driven[]): string =>
  table(
    [work, 'p50 ms', 'p95 ms', 'p99 ms', 'a second', 'API ms', 'database ms', 'short', 'refused'],
    driven.map(({ clients, times, perSecond, processor, short, refused }) => [
      `${clients} ${clients === 1 ? 'client' : 'clients'}`,
      ...quantiles(times),
      perSecond.toFixed(1),
      ...[ms(processor.api), ms(processor.backends)],
      short,
      refused,
    ]),
  );

const byStage = (work: keyof typeof STAGES, driven: readonly Driven[]): string =>
  table(
    [`${work}, mean ms`, ...STAGES[work].map((stage) => stage.split(' ')[1] ?? '')],
    driven.map(({ clients, stages }) => [
      `${clients} ${clients === 1 ? 'client' : 'clients'}`,
      ...STAGES[work].map((stage) => ms(stages[stage] ?? 0)),
    ]),
  );

const bySize = ([first]: readonly Driven[]): string =>
  table(
    ['memories of the tenant', 'questions', 'p50 ms', 'p95 ms', 'p99 ms'],
    Object.entries(first?.bySize ?? {}).map(([size, times]) => [size, times.count, ...quantiles(times)]),
  );

const growthTable = (growth: readonly Growth[]): string =>
  table(
    ['memories in one tenant', 'retrieve p50', 'p95', 'search', 'capture p50', 'p95', 'short'],
    growth.map(({ memories, hasPartition, retrieve, capture }) => [
      `${memories}${hasPartition ? ', own partition' : ''}`,
      ...[ms(retrieve.times.p50), ms(retrieve.times.p95), ms(retrieve.stages['retrieve search'] ?? 0)],
      ...[ms(capture.times.p50), ms(capture.times.p95), retrieve.short],
    ]),
  );

const recallTable = ({ recall }: LoadReport): string =>
  table(
    ['memories', 'questions', 'recall@10', 'recall@200', 'fewer rows'],
    recall.map(({ memories, questions, recallAt10, recallAt200, short }) => [
      memories,
      questions,
      recallAt10.toFixed(3),
      recallAt200.toFixed(3),
      short,
    ]),
  );

const ratios = ({ bare, neighbour }: LoadReport): string =>
  table(
    ['one client, in turns', 'p50 ms', 'p95 ms', 'p99 ms'],
    [
      ['the service', ...quantiles(bare.service)],
      ['bare encoder', ...quantiles(bare.encoder)],
      ['bare SQL', ...quantiles(bare.sql)],
      [`a tenant of ${neighbour.memories}, alone`, ...quantiles(neighbour.alone)],
      [`beside ten clients of one of ${neighbour.neighboursMemories}`, ...quantiles(neighbour.beside)],
    ],
  );

const words = (report: LoadReport): string => {
  const { server, options, memory, loadAverages, bare, neighbour, largest, partitions } = report;
  const { api, backends, connections } = memory;
  return [
    `${options.memories} memories in ${options.tenants} tenants, the largest of ${largest}; ${options.seconds} s each; Postgres ${server.postgres}, pgvector ${server.pgvector},`,
    `fsync ${server.fsync}, synchronous_commit ${server.synchronousCommit}, shared_buffers ${server.sharedBuffers}; Node ${server.node}; ${server.cores} cores, ${server.memoryGiB} GiB,`,
    `which also ran the clients. Load averages at the beginning of each part: ${loadAverages.join(', ')}.`,
    `Memory: API ${api ?? '?'} MiB; ${connections} backends of its database ${backends ?? '?'} MiB, what they share counted once.`,
    `The service by bare encoder and bare SQL: ${bare.ratio}. A noisy neighbour's p95 by that without: ${neighbour.ratio}.`,
    ...partitions.map(
      ({ memories, seconds }) => `A partition for ${memories} vectors took ${seconds} s with its index.`,
    ),
  ].join('\n');
};

/** What a person reads. */
export const loadTables = (report: LoadReport): string =>
  [
    words(report),
    byClients('retrieve', report.retrieve),
    byStage('retrieve', report.retrieve),
    bySize(report.retrieve),
    byClients('capture', report.capture),
    byStage('capture', report.capture),
    ratios(report),
    ...(report.growth.length > 0 ? [growthTable(report.growth)] : []),
    ...(report.recall.length > 0 ? [recallTable(report)] : []),
  ].join('\n\n');
