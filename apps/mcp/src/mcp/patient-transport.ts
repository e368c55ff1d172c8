import { PassThrough } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { World } from '../world.js';

type Id = string | number;

/**
 * Standard input and output, without the hurry: the library's transport drops what is under way at the end of standard
 * input, though a client that has said all it wants to say may close its end and still read. Here that end is held back
 * until every request has its answer.
 */
export class PatientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  private readonly input = new PassThrough();
  private readonly wire: StdioServerTransport;
  private readonly unanswered = new Set<Id>();
  private whenAnswered: () => void = () => undefined;

  constructor(private readonly world: Pick<World, 'stdin' | 'stdout'>) {
    this.wire = new StdioServerTransport(this.input, world.stdout);
  }

  async start(): Promise<void> {
    this.wire.onclose = () => this.onclose?.();
    this.wire.onerror = (error) => this.onerror?.(error);
    this.wire.onmessage = (message: JSONRPCMessage) => {
      this.note(message);
      this.onmessage?.(message);
    };
    await this.wire.start();
    this.world.stdin.pipe(this.input, { end: false });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.wire.send(message);
    } finally {
      if ('id' in message && !('method' in message) && message.id !== undefined) this.settle(message.id);
    }
  }

  close(): Promise<void> {
    this.world.stdin.unpipe(this.input);
    return this.wire.close();
  }

  /** Settles once every request that was read has been answered, or given up by the client. */
  async answered(): Promise<void> {
    // What was read last passes on before the next turn of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.unanswered.size > 0) await new Promise<void>((resolve) => (this.whenAnswered = resolve));
  }

  private note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.unanswered.add(message.id);
    else if (message.method === 'notifications/cancelled') {
      const id: unknown = Reflect.get(message.params ?? {}, 'requestId');
      if (typeof id === 'string' || typeof id === 'number') this.settle(id);
    }
  }

  private settle(id: Id): void {
    this.unanswered.delete(id);
    if (this.unanswered.size === 0) this.whenAnswered();
  }
}
