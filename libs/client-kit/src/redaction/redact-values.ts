import { redact, type Removed } from './redact.js';
import { sumRemoved } from './removed.js';

/** A value without the secrets in its texts, and what they were. */
export interface RedactedValue<Value> {
  readonly value: Value;
  readonly removed: readonly Removed[];
}

const ofObject = (value: object, isKept: (name: string) => boolean): RedactedValue<unknown> => {
  const found = Object.entries(value).map(
    ([name, one]) => [name, isKept(name) ? { value: one as unknown, removed: [] } : inside(one, isKept)] as const,
  );
  const removed = sumRemoved(found.map(([, one]) => one.removed));
  return { value: Object.fromEntries(found.map(([name, one]) => [name, one.value])), removed };
};

const inside = (value: unknown, isKept: (name: string) => boolean): RedactedValue<unknown> => {
  if (typeof value === 'string') {
    const { text, removed } = redact(value);
    return { value: text, removed };
  }
  if (Array.isArray(value)) {
    const found = value.map((one) => inside(one, isKept));
    return { value: found.map((one) => one.value), removed: sumRemoved(found.map((one) => one.removed)) };
  }
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? ofObject(value, isKept) : { value, removed: [] };
};

/**
 * Takes the secrets out of every text of a request before it leaves the machine; the service does it again.
 * @param kept names of fields that are names of a client's own and stay as they are
 */
export const redactValues = <Value extends object>(value: Value, kept: readonly string[] = []): RedactedValue<Value> =>
  inside(value, (name) => kept.includes(name)) as RedactedValue<Value>;
