import { AppError, redact, type Removed, sumRemoved } from '@tempera/client-kit';
import { getNullableType, type GraphQLInputType, isInputObjectType, isListType, isScalarType } from 'graphql';
import { AS_THEY_ARE, CURSOR, GUESSED, NAMES_OF_CLIENTS } from './as-they-are.js';

/** What was taken out of an object that came in, with all that is inside it. */
const taken = new WeakMap<object, readonly Removed[]>();

/** What was taken out of an input before a resolver saw it, by kind. */
export const removedFrom = (input: object): readonly Removed[] => taken.get(input) ?? [];

interface Found {
  readonly value: unknown;
  readonly removed: readonly Removed[];
}

const untouched = (value: unknown): Found => ({ value, removed: [] });

const nameOfClient = (text: string, place: string, removed: readonly Removed[]): Found => {
  const sure = removed.find(({ type }) => type !== GUESSED);
  if (sure === undefined) return untouched(text);
  const name = place.split('.').at(-1) ?? place;
  throw new AppError(
    'invalid-input',
    'secret-in-name',
    `\`${name}\` holds a secret (${sure.type}); name it otherwise.`,
  );
};

const redactText = (text: string, place: string): Found => {
  const { text: value, removed } = redact(text);
  if (removed.length === 0) return untouched(text);
  return NAMES_OF_CLIENTS.has(place) ? nameOfClient(text, place, removed) : { value, removed };
};

const redactList = (values: readonly unknown[], type: GraphQLInputType, place: string): Found => {
  const found = values.map((value) => redactValue(value, type, place));
  return { value: found.map(({ value }) => value), removed: sumRemoved(found.map(({ removed }) => removed)) };
};

const redactFields = (object: object, type: GraphQLInputType): Found => {
  if (!isInputObjectType(type)) return untouched(object);
  const fields = type.getFields();
  const found = Object.entries(object).map(([name, value]): readonly [string, Found] => {
    const field = fields[name];
    return [name, field === undefined ? untouched(value) : redactValue(value, field.type, `${type.name}.${name}`)];
  });
  const removed = sumRemoved(found.map(([, one]) => one.removed));
  const value = Object.fromEntries(found.map(([name, one]) => [name, one.value]));
  if (removed.length > 0) taken.set(value, removed);
  return { value, removed };
};

/** A value that came in, without the secrets in its texts. @throws AppError `invalid-input` for one in a name that a client gives */
export const redactValue = (value: unknown, type: GraphQLInputType, place: string): Found => {
  const plain = getNullableType(type);
  if (value === null || value === undefined || place in AS_THEY_ARE) return untouched(value);
  if (isListType(plain)) return Array.isArray(value) ? redactList(value, plain.ofType, place) : untouched(value);
  if (isInputObjectType(plain)) return typeof value === 'object' ? redactFields(value, plain) : untouched(value);
  const isText =
    isScalarType(plain) && typeof value === 'string' && (plain.name === 'String' || NAMES_OF_CLIENTS.has(place));
  return isText && place.split('.').at(-1) !== CURSOR ? redactText(value, place) : untouched(value);
};
