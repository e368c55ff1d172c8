import type { MemoryKind, Outcome } from '../memory.js';

/** One use of a tool in a turn, as the client's hook tells it. */
export interface TurnTool {
  readonly name: string;
  readonly file: string | null;
  readonly command: string | null;
  /** What it failed with; null where it did not. */
  readonly error: string | null;
  /** How that was put right, where the client knows. */
  readonly resolution: string | null;
}

/** What a person asked and what came back. */
export interface Turn {
  readonly prompt: string;
  readonly answer: string;
  readonly tools: readonly TurnTool[];
  readonly at: Date;
  readonly branch: string | null;
  /** Who wrote the prompt, where several people write; facts in the first person then carry the name. */
  readonly speaker?: string | undefined;
}

/** Where a fact stands: a stretch of a turn, word for word. */
export interface Evidence {
  readonly turn: number;
  readonly quote: string;
}

export interface ResolvedError {
  readonly error: string;
  readonly resolution: string;
}

/** What one fact can be; a question that should have been asked is for people to write. */
export type FactKind = Exclude<MemoryKind, 'question'>;

/** One thing worth keeping from a conversation. */
export interface DistilledFact {
  readonly kind: FactKind;
  readonly content: string;
  readonly at: Date;
  readonly expiresAt: Date | null;
  readonly tags: readonly string[];
  readonly evidence: readonly Evidence[];
  /** Of episodes only. */
  readonly outcome: Outcome | null;
  readonly files: readonly string[];
  readonly errors: readonly ResolvedError[];
}

/** Why a candidate was not kept. */
export const REFUSALS = [
  'too-short',
  'too-long',
  'too-general',
  'machine-noise',
  'question',
  'hedged',
  'undecided',
  'no-evidence',
  'bears-secret',
  'already-known',
  'expired',
  'repeated',
  'refuted-later',
  'done-later',
  'too-many',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export interface RefusedFact {
  readonly kind: FactKind;
  readonly content: string;
  readonly reason: Refusal;
}

/** What a conversation comes to. */
export interface Distillation {
  /** At most three sentences: what was asked, decided, left open; empty where nothing was. */
  readonly summary: string;
  readonly facts: readonly DistilledFact[];
  readonly refused: readonly RefusedFact[];
}

/** What the rules cannot know by themselves. */
export interface DistilPorts {
  /** Whether a text holds a secret, or a place where one was taken out. */
  readonly bearsSecret: (text: string) => boolean;
  /** Whether the folder is bound to a project. Elsewhere, as in a clone of strangers, an agent may quote whoever wrote its files. */
  readonly isOwnGround?: boolean | undefined;
  /** Whether a time has passed; absent where nobody asks. */
  readonly isOver?: ((end: Date) => boolean) | undefined;
  /** Whether the store has it; absent where that is found out later. */
  readonly isKnown?: ((fact: Pick<DistilledFact, 'kind' | 'content'>) => boolean) | undefined;
}
