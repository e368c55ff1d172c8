import { type GraphQLClient, RefusedError } from '../../support/graphql-client.js';

const LIST = '{ memories(first: 10) { nodes { id title } } }';
/** What a reader takes to look at a list. */
const PAUSE_MS = 500;

/** People who read one list after another. */
export class Readers {
  answered = 0;
  /** How often "come again" was said instead of an answer. */
  sentAway = 0;
  /** Answers that nobody should get, by their code. */
  readonly faults: string[] = [];
  private stopped = false;
  private readonly lanes: Promise<void>[];

  /** @param lanes how many read at once */
  constructor(
    private readonly client: GraphQLClient,
    lanes: number,
  ) {
    this.lanes = Array.from({ length: lanes }, () => this.read());
  }

  async finish(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.lanes);
  }

  private async read(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.client.send(LIST);
        this.answered += 1;
      } catch (error) {
        if (error instanceof RefusedError && error.code === 'UNAVAILABLE') this.sentAway += 1;
        else this.faults.push(String(error));
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
