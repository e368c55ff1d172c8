import { isAppError } from '@tempera/client-kit';
import { getNamedType, type GraphQLInputType, isInputObjectType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { AS_THEY_ARE, CURSOR, NAMES_OF_CLIENTS } from '../../apps/api/src/redaction/as-they-are.js';
import { redactValue } from '../../apps/api/src/redaction/redact-arguments.js';
import { readSchema } from '../support/schema-walk.js';

const SECRET = ['ghp', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAcD5f'].join('_');
const GUESSED = `key: ${SECRET.slice(4)}`;

interface Place {
  readonly name: string;
  readonly type: GraphQLInputType;
}

/** Every place at which a text comes in: arguments of all fields, and fields of all inputs. */
const places: readonly Place[] = Object.values(readSchema().getTypeMap())
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type): Place[] => {
    if (isInputObjectType(type)) {
      return Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, type: field.type }));
    }
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) =>
      field.args.map((argument) => ({ name: `${type.name}.${field.name}.${argument.name}`, type: argument.type })),
    );
  })
  .filter(({ name, type }) => getNamedType(type).name === 'String' || NAMES_OF_CLIENTS.has(name));

const afterwards = ({ name, type }: Place, text: string): unknown => {
  const isList = String(type).startsWith('[');
  try {
    const { value } = redactValue(isList ? [text] : text, type, name);
    return isList ? (value as unknown[])[0] : value;
  } catch (error) {
    return isAppError(error) ? error.code : error;
  }
};

const isException = ({ name }: Place): boolean => name in AS_THEY_ARE || name.endsWith(`.${CURSOR}`);

describe('the boundary of the service', () => {
  it('lets no secret through any String of the schema, but for a written list', () => {
    expect(places.length).toBeGreaterThan(100);
    const through = places.filter((place) => !isException(place) && String(afterwards(place, SECRET)).includes(SECRET));
    expect(through.map(({ name }) => name)).toEqual([]);
  });

  it('refuses a secret in a name that a client gives, and lets a random one be', () => {
    const named = places.filter(({ name }) => NAMES_OF_CLIENTS.has(name));
    expect(named.map((place) => afterwards(place, SECRET))).toEqual(named.map(() => 'secret-in-name'));
    expect(named.map((place) => afterwards(place, GUESSED))).toEqual(named.map(() => GUESSED));
  });

  it('has no exception for what is not there, and a reason for each', () => {
    const known = new Set(places.map(({ name }) => name));
    expect([...Object.keys(AS_THEY_ARE), ...NAMES_OF_CLIENTS].filter((name) => !known.has(name))).toEqual([]);
    expect(Object.values(AS_THEY_ARE).filter((reason) => reason.length < 30)).toEqual([]);
  });
});
