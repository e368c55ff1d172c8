import { randomUUID } from 'node:crypto';
import type { GraphQLClient } from '../../support/graphql-client.js';
import type { Acknowledged } from './writers.js';

const CAPTURE = `mutation ($input: CaptureInput!) { capture(input: $input) { memory { id } } }`;
const RETRIEVE = `mutation ($query: String!) { retrieve(input: { query: $query }) { hits { memory { id } } } }`;
const LIST = '{ memories(first: 10) { nodes { id title } } }';

/** What people ask for in a day, in turns: a capture, a question, a list. Each goes out once: what fails has failed. */
export class MixedRequests {
  readonly acknowledged: Acknowledged[] = [];

  constructor(private readonly client: GraphQLClient) {}

  readonly send = async (number: number): Promise<unknown> => {
    if (number % 3 === 0) return this.capture();
    if (number % 3 === 1) return this.client.send(RETRIEVE, { query: 'Which queue was drained by hand?' });
    return this.client.send(LIST);
  };

  private async capture(): Promise<void> {
    const key = randomUUID();
    const text = `Fact ${key}: the queue of ${key.slice(0, 8)} was drained by hand.`;
    const input = { text, idempotencyKey: key, kind: 'BACKGROUND', scope: 'PRIVATE', merge: 'NEVER' };
    const { capture } = await this.client.send<{ capture: { memory: { id: string } } }>(CAPTURE, { input });
    this.acknowledged.push({ key, text, id: capture.memory.id });
  }
}
