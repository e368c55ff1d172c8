import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { chance, type Draw, literal, type Names, pick, valueOf, wrongValue } from './values.js';

/** A request made at random. */
export interface FuzzedRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly kind: 'query' | 'mutation';
  /** Root fields it asks for. */
  readonly fields: readonly string[];
}

/** Fields of objects, in depth, that a document asks for at most: more would be refused before anything ran. */
const MAX_DEPTH = 4;
const MAX_NESTED = 2;

interface Making {
  readonly draw: Draw;
  readonly names: Names;
  readonly variables: Record<string, unknown>;
  readonly declared: string[];
  readonly fragments: string[];
  /** One value of a wrong type is left to be put somewhere. */
  spoil: boolean;
}

const argumentsOf = (making: Making, field: GraphQLField<unknown, unknown>): string => {
  const { draw, names, variables, declared } = making;
  const written = field.args
    .filter((argument) => isRequiredArgument(argument) || chance(draw, 55))
    .map(({ name, type }) => {
      const isSpoilt = making.spoil && chance(draw, 50);
      if (isSpoilt) making.spoil = false;
      const value = isSpoilt ? wrongValue(draw) : valueOf(draw, type, names);
      if (chance(draw, 40)) return `${name}: ${literal(value, type)}`;
      const variable = `v${declared.length}`;
      declared.push(`$${variable}: ${String(type)}`);
      variables[variable] = value;
      return `${name}: $${variable}`;
    });
  return written.length === 0 ? '' : `(${written.join(', ')})`;
};

const directive = ({ draw }: Making): string =>
  chance(draw, 3) ? ` ${pick(draw, ['@include(if: true)', '@skip(if: true)'])}` : '';

const fieldOf = (making: Making, field: GraphQLField<unknown, unknown>, alias: string, depth: number): string => {
  const named = getNamedType(field.type);
  const inner = isObjectType(named) ? ` ${selectionOf(making, named, depth + 1)}` : '';
  return `${alias}${field.name}${argumentsOf(making, field)}${directive(making)}${inner}`;
};

const selectionOf = (making: Making, type: GraphQLObjectType, depth: number): string => {
  const { draw } = making;
  const fields = Object.values(type.getFields());
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)) && chance(draw, 50));
  const objects = fields.filter((field) => isObjectType(getNamedType(field.type)));
  const wanted = depth >= MAX_DEPTH ? [] : objects.filter(() => chance(draw, 45)).slice(0, MAX_NESTED);
  const parts = [...leaves, ...wanted].map((field, index) =>
    fieldOf(making, field, chance(draw, 8) ? `a${index}: ` : '', depth),
  );
  if (parts.length === 0 || chance(draw, 10)) parts.push('__typename');
  if (chance(draw, 5)) parts.push(`... on ${type.name} { __typename }`);
  if (!chance(draw, 6)) return `{ ${parts.join(' ')} }`;
  const name = pick(draw, ['F', '__schema', '__typename', 'query', type.name]) + String(making.fragments.length);
  making.fragments.push(`fragment ${name} on ${type.name} { ${parts.join(' ')} }`);
  return `{ ...${name} }`;
};

/**
 * Makes a request: one to three root fields with any arguments and a selection within the limits. One in five has a value
 * of a wrong type in it.
 * @param isTheirs root fields for who will ask; one document in ten looks at the others too
 */
export const makeRequest = (
  draw: Draw,
  schema: GraphQLSchema,
  names: Names,
  isTheirs: (field: string) => boolean,
): FuzzedRequest => {
  const kind = chance(draw, 55) ? 'query' : 'mutation';
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  const every = Object.values(root?.getFields() ?? {});
  const all = chance(draw, 10) ? every : every.filter(({ name }) => isTheirs(name));
  const making: Making = { draw, names, variables: {}, declared: [], fragments: [], spoil: chance(draw, 20) };
  const chosen = Array.from({ length: pick(draw, [1, 1, 1, 2, 3]) }, () => pick(draw, all));
  const body = chosen.map((field, index) => fieldOf(making, field, index === 0 ? '' : `r${index}: `, 1)).join(' ');
  const declared = making.declared.length === 0 ? '' : `(${making.declared.join(', ')})`;
  return {
    query: `${kind} ${declared} { ${body} } ${making.fragments.join(' ')}`,
    variables: making.variables,
    kind,
    fields: chosen.map(({ name }) => name),
  };
};
