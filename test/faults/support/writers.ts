import { randomUUID } from 'node:crypto';
import { PATIENCE_MS as LONG_MS } from '../../support/programs.js';
import { type GraphQLClient, RefusedError } from '../../support/graphql-client.js';

/** A write that was acknowledged: what was sent, and what the answer named. */
export interface Acknowledged {
  readonly key: string;
  readonly text: string;
  readonly id: string;
}

const CAPTURE = `mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }`;

/** Longer than any bound of the service, so that a writer that waits longer has found a hang. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 250;

/**
 * People who capture one memory after another and send each again, under its key, until it is acknowledged, as clients do. Whatever the
 * service says besides "come again" is kept in {@link faults}.
 */
export class Writers {
  readonly acknowledged: Acknowledged[] = [];
  /** Answers that no client should get, by their code. */
  readonly faults: string[] = [];
  /** Writes that had to be sent more than once. */
  disturbed = 0;
  /** The longest that one attempt took to be answered, acknowledged or not, in milliseconds. */
  longestMs = 0;
  private stopped = false;
  private readonly lanes: Promise<void>[];

  /** @param lanes how many writes are under way at once; they take the clients in turns */
  constructor(clients: readonly GraphQLClient[], lanes: number) {
    this.lanes = Array.from({ length: lanes }, (_, lane) =>
      this.write(clients[lane % clients.length] as GraphQLClient),
    );
  }

  /** Waits until so many writes more were acknowledged than now. */
  async more(count: number): Promise<void> {
    const aim = this.acknowledged.length + count;
    const deadline = Date.now() + 2 * LONG_MS;
    while (this.acknowledged.length < aim) {
      if (Date.now() > deadline) throw new Error(`No ${count} writes more were acknowledged in time: ${this.said()}`);
      await pause(10);
    }
  }

  /** Begins nothing more, and waits until what was begun is acknowledged. */
  async finish(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.lanes);
  }

  private said(): string {
    return [...new Set(this.faults)].slice(0, 5).join('; ') || 'nothing was said';
  }

  private async write(client: GraphQLClient): Promise<void> {
    while (!this.stopped) {
      const key = randomUUID();
      const text = `Fact ${key}: the queue of ${key.slice(0, 8)} was drained by hand.`;
      const id = await this.untilAcknowledged(client, { text, key });
      this.acknowledged.push({ key, text, id });
    }
  }

  private async untilAcknowledged(
    client: GraphQLClient,
    { text, key }: { text: string; key: string },
  ): Promise<string> {
    const input = { text, idempotencyKey: key, kind: 'BACKGROUND', scope: 'PRIVATE', merge: 'NEVER' };
    for (let attempt = 1; ; attempt += 1) {
      const began = performance.now();
      if (attempt === 2) this.disturbed += 1;
      try {
        const sent = client.send<{ capture: { memory: { id: string } } }>(CAPTURE, { input });
        return (await withinPatience(sent)).capture.memory.id;
      } catch (error) {
        const fault = faultOf(error);
        if (fault !== undefined) this.faults.push(fault);
        await pause(PAUSE_MS);
      } finally {
        this.longestMs = Math.max(this.longestMs, performance.now() - began);
      }
    }
  }
}

/** Undefined for what a client expects while a service is being killed: no connection, or "come again". */
const faultOf = (error: unknown): string | undefined => {
  if (error instanceof HangError) return error.message;
  if (!(error instanceof RefusedError)) return undefined;
  return error.code === 'UNAVAILABLE' ? undefined : `${error.code}: ${error.message}`;
};

class HangError extends Error {}

const withinPatience = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HangError(`no answer within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, hang]);
  } finally {
    clearTimeout(timer);
  }
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
