import { CAPTURE, RETRIEVE } from './client-operations.js';
import { randomFrom } from '../random.js';
import type { Asked } from './askers.js';
import type { Answer } from './http-client.js';
import { processorOf } from './processes.js';
import { meansBetween, readStages, type StageMeans } from './stages.js';
import { freshText, questionAbout } from './texts.js';
import { type Times, timesOf } from './times.js';
import type { World } from './world.js';

/** Hits that each question asks for. */
export const HITS = 10;

/** One request that was answered. */
export interface Done {
  readonly milliseconds: number;
  readonly asked: Asked;
  /** Fewer hits than there are memories of the subject, as far as the limit goes. */
  readonly isShort: boolean;
  /** What the service said instead of an answer; null: it answered. */
  readonly refusal: string | null;
}

/** What many clients saw in a while. */
export interface Driven {
  readonly clients: number;
  readonly times: Times;
  readonly perSecond: number;
  /** Answers with fewer hits than exist. */
  readonly short: number;
  /** Requests that were refused, such as for want of room; their times are not among the others. */
  readonly refused: number;
  /** By memories of the tenant. */
  readonly bySize: Readonly<Record<string, Times>>;
  readonly stages: StageMeans;
  /** Processor milliseconds a request. */
  readonly processor: { readonly api: number; readonly backends: number };
}

const SIZES = [100, 1_000, 10_000, Infinity];

const sizeOf = ({ memories }: Asked['tenant']): string => {
  const at = SIZES.findIndex((size) => memories < size);
  return SIZES[at] === Infinity ? `${SIZES.at(-2)} and more` : `under ${SIZES[at]}`;
};

const toDone = ({ milliseconds, body }: Answer, asked: Asked, expected: number): Done => {
  const refusal = body.errors?.[0]?.message ?? null;
  const hits = (body.data as { retrieve?: { hits: unknown[] } } | null | undefined)?.retrieve?.hits.length ?? 0;
  return { milliseconds, asked, isShort: refusal === null && hits < expected, refusal };
};

/** Asks as the MCP server does. */
export const retrieve = async ({ client, token, vocabulary }: World, asked: Asked, turn: number): Promise<Done> => {
  const query = questionAbout(vocabulary, asked.subject, turn);
  const answer = await client.send(await token(asked.asker), RETRIEVE, { input: { query, limit: HITS } });
  return toDone(answer, asked, Math.min(HITS, asked.seen));
};

/** Captures a text of its own, as an agent at work does. */
export const capture = async ({ client, token, vocabulary }: World, asked: Asked, turn: number): Promise<Done> => {
  const { projects } = asked.asker;
  const project = projects[turn % projects.length];
  const text = freshText(vocabulary, turn);
  const input = { text, kind: 'BACKGROUND', scope: 'PROJECT', project, idempotencyKey: `load ${turn}` };
  return toDone(await client.send(await token(asked.asker), CAPTURE, { input }), asked, 0);
};

/** No two texts of a run are the same. */
let turns = 0;
export const nextTurn = (): number => (turns += 1);

export interface DriveOptions {
  readonly clients: number;
  readonly seconds: number;
  readonly seed: number;
  readonly draw: (random: () => number) => Asked;
  readonly send: (world: World, asked: Asked, turn: number) => Promise<Done>;
  /** Ends the clients before their time. */
  readonly stop?: AbortSignal;
}

/** So many clients, each with one request at a time, for so long. */
export const driveClients = async (world: World, options: DriveOptions): Promise<Done[]> => {
  const until = performance.now() + options.seconds * 1_000;
  const done: Done[] = [];
  const client = async (_: unknown, at: number): Promise<void> => {
    const random = randomFrom(options.seed * 1_000 + at);
    do done.push(await options.send(world, options.draw(random), nextTurn()));
    while (performance.now() < until && options.stop?.aborted !== true);
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  return done;
};

/** Those that were answered. */
export const answeredOf = (done: readonly Done[]): Done[] => done.filter(({ refusal }) => refusal === null);

const bySizeOf = (done: readonly Done[]): Record<string, Times> => {
  const groups = new Map<string, number[]>(
    SIZES.map((size) => [sizeOf({ memories: size - 1 } as Asked['tenant']), []]),
  );
  for (const { asked, milliseconds } of done) groups.get(sizeOf(asked.tenant))?.push(milliseconds);
  return Object.fromEntries(
    [...groups].filter(([, times]) => times.length > 0).map(([size, times]) => [size, timesOf(times)]),
  );
};

/** Drives clients, and reads beside it what the service says of its stages and how hard both sides worked. */
export const measure = async (world: World, options: DriveOptions): Promise<Driven> => {
  const { metricsUrl, superuser, instance } = world;
  const pid = instance.api.child.pid ?? 0;
  const [stages, worked, begun] = [await readStages(metricsUrl), await processorOf(pid, superuser), performance.now()];
  const all = await driveClients(world, options);
  const done = answeredOf(all);
  const seconds = (performance.now() - begun) / 1_000;
  const after = await processorOf(pid, superuser);
  const each = (sum: number): number => Math.round((sum * 100_000) / Math.max(1, done.length)) / 100;
  return {
    clients: options.clients,
    times: timesOf(done.map(({ milliseconds }) => milliseconds)),
    perSecond: Math.round((done.length / seconds) * 10) / 10,
    short: done.filter(({ isShort }) => isShort).length,
    refused: all.length - done.length,
    bySize: bySizeOf(done),
    stages: meansBetween(stages, await readStages(metricsUrl)),
    processor: { api: each(after.api - worked.api), backends: each(after.backends - worked.backends) },
  };
};
