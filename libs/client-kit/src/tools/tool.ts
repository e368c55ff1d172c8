import type { z } from 'zod';
import type { AppErrorKind } from '../app-error.js';
import type { EnvelopeLabel } from '../envelope.js';
import type { CaptureRequest, MemoryBackend } from '../memory-backend.js';
import type { Glyphs } from './chart.js';
import type { WaitingHere } from './waiting-here.js';

/** What one call of a tool may use; made anew for each call, so that a login or a binding made meanwhile counts. */
export interface ToolContext {
  readonly backend: MemoryBackend;
  /** Slug of the project that the caller's folder is bound to. */
  readonly boundProject: string | null;
  /** The client's own session key, when it has one. */
  readonly sessionKey: string | null;
  readonly source: 'CLI' | 'MCP';
  /** Set where answers are read on a screen, and may be drawn. */
  readonly glyphs?: Glyphs;
  /** Keeps a capture on the caller's machine until the service is back; absent where there is no such machine. */
  readonly queue?: (request: CaptureRequest) => Promise<boolean>;
  /** What waits on the caller's machine. */
  readonly waitingHere?: () => Promise<WaitingHere>;
  now(): Date;
  /** Where a call has to be answered sooner than its caller would wait, seconds. */
  readonly longestWait?: number;
  /** Resolves after so many milliseconds. */
  wait(ms: number): Promise<void>;
  /** A fresh UUID. */
  newId(): string;
  /** 16 hex characters from a cryptographic source. */
  randomHex(): string;
}

/** A piece of an answer: words of ours, or stored text of a memory in its envelope. */
export type AnswerPart =
  | {
      readonly type: 'text';
      readonly text: string;
      /** Instead of `text` where a person reads without envelopes; nothing is said there when it is empty. */
      readonly forPerson?: string;
    }
  | {
      readonly type: 'memory';
      /** One line of ours above the envelope; empty for none. */
      readonly heading: string;
      readonly label: EnvelopeLabel;
      /** Neutralised, without the envelope: for a terminal, where a person reads. */
      readonly text: string;
      /** The same in its envelope: for an agent. */
      readonly wrapped: string;
    };

/** What a tool answers, before it is laid out for an agent or a terminal. */
export interface ToolAnswer {
  readonly parts: readonly AnswerPart[];
  /** For programs; stored text in it stands in the same envelopes. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** Set when nothing of what was asked could be done. */
  readonly failed?: boolean;
  /** Set when only a part of it could be done, with the kind of error that the rest ran into. */
  readonly shortOf?: AppErrorKind;
}

/** One tool: its contract and what it does. */
export interface Tool<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  /** Hints that differ from the protocol's defaults (which are: writes, destructive, open world, not idempotent). */
  readonly annotations: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
  /** Whether clients that load schemas on demand should keep this one at hand. */
  readonly alwaysLoad: boolean;
  run(args: z.output<Schema>, context: ToolContext): Promise<ToolAnswer>;
}

/** One part of plain words. */
export const textPart = (text: string, forPerson?: string): AnswerPart => ({
  type: 'text',
  text,
  ...(forPerson === undefined ? {} : { forPerson }),
});

/** Lays an answer out for an agent. */
export const answerForAgent = (answer: ToolAnswer): string =>
  answer.parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      return part.heading === '' ? part.wrapped : `${part.heading}\n${part.wrapped}`;
    })
    .join('\n\n');
