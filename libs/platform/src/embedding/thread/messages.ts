import { AppError, type AppErrorKind, isAppError } from '@tempera/client-kit';
import type { EncoderCard, EncoderId } from '../encoder-card.js';
import type { ReadingStart } from '../encoder-host.js';
import type { ModelSource } from '../transformers-encoder.js';

/** What a thread is started with. */
export interface ThreadSettings {
  readonly source: ModelSource;
  readonly further: readonly EncoderCard[];
  /** Threads of one inference. */
  readonly threads?: number;
  readonly latch: SharedArrayBuffer;
}

/** What a thread is asked for; `forget` has no answer. */
export type ThreadCall =
  | { readonly call: 'load'; readonly encoder: EncoderId }
  | { readonly call: 'advance'; readonly reading: number; readonly start?: ReadingStart }
  | { readonly call: 'forget'; readonly reading: number }
  | { readonly call: 'close' };

export type ThreadRequest = ThreadCall & { readonly id: number };

export type ThreadAnswer =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: SentError };

/** An error as it crosses threads: a class does not survive that. */
export interface SentError {
  readonly message: string;
  readonly app?: { readonly kind: AppErrorKind; readonly code: string; readonly details: AppError['details'] };
  readonly cause?: string;
}

export function toSent(error: unknown): SentError {
  if (!isAppError(error)) return { message: messageOf(error) };
  const { kind, code, message, details, cause } = error;
  return {
    message,
    app: { kind, code, details },
    ...(cause === undefined ? {} : { cause: messageOf(cause) }),
  };
}

export function fromSent({ message, app, cause }: SentError): Error {
  if (app === undefined) return new Error(message);
  return new AppError(app.kind, app.code, message, {
    details: app.details,
    ...(cause === undefined ? {} : { cause: new Error(cause) }),
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
