import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool that the model calls. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the model does in a turn: calls tools one after another, then says something. */
export interface Turn {
  readonly calls: readonly ((results: readonly string[]) => ToolCall)[];
  readonly answer: string;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
}
interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}
interface Asked {
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly name: string }[];
  readonly stream?: boolean;
}

/** A model on the loopback address, which does what it is told and keeps what it was asked. */
export interface ModelStub {
  readonly url: string;
  /** The next turns, as the tests want them. */
  turn: Turn;
  /** All text of the requests that came with tools since the last {@link forget}. */
  readonly heard: () => string;
  /** The tools that the latest of them offered. */
  readonly offered: () => readonly string[];
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

const blocksOf = ({ content }: Message): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content));

const resultsOf = ({ messages }: Asked): string[] =>
  messages.flatMap(blocksOf).flatMap((block) => (block.type === 'tool_result' ? [textOf(block.content)] : []));

const bodyOf = async (request: IncomingMessage): Promise<Asked> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked;
};

const events = (block: Record<string, unknown>, delta: Record<string, unknown>, stop: string): unknown[] => [
  {
    type: 'message_start',
    message: {
      ...{ id: `msg_${Date.now()}`, type: 'message', role: 'assistant', model: 'stub', content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
    },
  },
  { type: 'content_block_start', index: 0, content_block: block },
  { type: 'content_block_delta', index: 0, delta },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

const answerOf = (asked: Asked, turn: Turn): unknown[] => {
  const results = resultsOf(asked);
  const call = turn.calls[results.length];
  if (asked.tools === undefined || asked.tools.length === 0 || call === undefined) {
    return events({ type: 'text', text: '' }, { type: 'text_delta', text: turn.answer }, 'end_turn');
  }
  const { name, input } = call(results);
  const block = { type: 'tool_use', id: `toolu_${results.length}_${Date.now()}`, name, input: {} };
  return events(block, { type: 'input_json_delta', partial_json: JSON.stringify(input) }, 'tool_use');
};

const send = (response: ServerResponse, all: readonly unknown[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of all) {
    response.write(`event: ${String(Reflect.get(event as object, 'type'))}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
};

/** Starts a model that speaks the Messages API as its client expects it, in events. */
export const startModelStub = async (): Promise<ModelStub> => {
  let heard: Asked[] = [];
  const stub = { turn: { calls: [], answer: 'Done.' } as Turn };
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || !(request.url ?? '').startsWith('/v1/messages')) return response.end('{}');
    if ((request.url ?? '').includes('count_tokens')) return response.end('{"input_tokens":1}');
    void bodyOf(request).then((asked) => {
      if (asked.tools !== undefined && asked.tools.length > 0) heard.push(asked);
      send(response, answerOf(asked, stub.turn));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(stub, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => heard.map((asked) => JSON.stringify(asked.messages)).join('\n'),
    offered: () => heard.at(-1)?.tools?.map(({ name }) => name) ?? [],
    forget: () => (heard = []),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
};
