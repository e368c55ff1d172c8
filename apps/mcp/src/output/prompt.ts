import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { AppError } from '@tempera/client-kit';
import type { World } from '../world.js';

type Streams = Pick<World, 'stdin' | 'stderr'>;

const cancelled = (): AppError =>
  new AppError('invalid-input', 'cancelled', 'Cancelled.', { details: { fix: 'Nothing was changed.' } });

/** Reads all of standard input. @throws AppError `invalid-input` above `maxBytes` */
export const readInput = async ({ stdin }: Pick<World, 'stdin'>, maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += buffer.length;
    if (bytes > maxBytes)
      throw new AppError('invalid-input', 'input-too-long', `Standard input is longer than ${maxBytes} bytes.`);
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const askTerminal = async (streams: Streams, question: string, output: NodeJS.WritableStream): Promise<string> => {
  const lines = createInterface({ input: streams.stdin, output, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(cancelled()));
      lines.once('close', () => reject(cancelled()));
      lines.question(question).then(resolve, reject);
    });
  } finally {
    lines.close();
  }
};

/** Asks a person at the terminal; the question goes to standard error, so that a pipe gets results only. */
export const askLine = (streams: Streams, question: string): Promise<string> =>
  askTerminal(streams, question, streams.stderr);

/**
 * Asks for a secret: typed without an echo, or the first line of a pipe. It never comes from the command line, where every
 * user of the machine and the shell's history can read it.
 */
export const askSecret = async (streams: Streams, question: string): Promise<string> => {
  if (streams.stdin.isTTY !== true) return (await readInput(streams, 16_384)).trim().split(/\s/)[0] ?? '';
  streams.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return (await askTerminal(streams, '', silent)).trim();
  } finally {
    streams.stderr.write('\n');
  }
};
