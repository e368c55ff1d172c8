import { createHash } from 'node:crypto';

/** What a tool was used for in a turn. */
export interface SpooledTool {
  readonly name: string;
  readonly file?: string;
  readonly command?: string;
  readonly error?: string;
}

/** A turn as it waits: named as in the GraphQL contract, without secrets. */
export interface SpooledTurn {
  readonly key: string;
  readonly project: string | null;
  readonly sessionKey: string;
  readonly promptKey: string;
  readonly at: string;
  readonly prompt: string;
  readonly answer: string;
  readonly tools: readonly SpooledTool[];
  readonly branch: string | null;
  readonly client: string;
  readonly isBackfill?: boolean;
}

/** One thing that waits for the service, and by which login it goes. */
export type SpoolRecord =
  | { readonly kind: 'turn'; readonly login: string; readonly turn: SpooledTurn }
  | {
      readonly kind: 'capture';
      readonly login: string;
      readonly capture: { readonly idempotencyKey: string; readonly [field: string]: unknown };
    };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const hasTexts = (value: unknown, names: readonly string[]): boolean =>
  isObject(value) && names.every((name) => typeof value[name] === 'string');

const TURN_TEXTS = ['key', 'sessionKey', 'promptKey', 'at', 'prompt', 'answer', 'client'];

/** Reads what was written; `null` for what is torn or of no kind that is known. By hand: a hook has no time for schemas. */
export const readRecord = (text: string): SpoolRecord | null => {
  try {
    const value: unknown = JSON.parse(text);
    if (!hasTexts(value, ['login'])) return null;
    const { kind, turn, capture } = value as Record<string, unknown>;
    const isTurn = kind === 'turn' && hasTexts(turn, TURN_TEXTS) && Array.isArray(Reflect.get(Object(turn), 'tools'));
    const isCapture = kind === 'capture' && hasTexts(capture, ['idempotencyKey']);
    return isTurn || isCapture ? (value as SpoolRecord) : null;
  } catch {
    return null;
  }
};

/** By what the service knows it again. */
export const keyOf = (record: SpoolRecord): string =>
  record.kind === 'turn' ? record.turn.key : record.capture.idempotencyKey;

/** A name of a session, a prompt or a record that is safe as a file's. */
export const nameOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);
