import {
  buildSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { readFileSync } from 'node:fs';

/** The committed schema. */
export const readSchema = (): GraphQLSchema =>
  buildSchema(readFileSync(new URL('../../apps/api/schema.graphql', import.meta.url), 'utf8'));

/** One root field with a document that asks for its scalars, and harmless values for what it needs. */
export interface Operation {
  readonly name: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly arguments: readonly GraphQLArgument[];
}

/** A value that the type accepts; it names nothing that exists. */
export const harmless = (type: GraphQLInputType): unknown => {
  if (isNonNullType(type)) return harmless(type.ofType);
  if (isListType(type)) return [harmless(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) return harmlessFields(Object.values(type.getFields()));
  const scalars: Readonly<Record<string, unknown>> = {
    ID: '00000000-0000-4000-8000-000000000000',
    String: 'x',
    Int: 1,
    Float: 1,
    Boolean: true,
    DateTime: '2026-01-31T09:30:00Z',
    Date: '2026-01-31',
  };
  return scalars[type.name];
};

const isNeeded = ({ type, defaultValue }: GraphQLInputField): boolean =>
  isNonNullType(type) && defaultValue === undefined;

const harmlessFields = (fields: readonly GraphQLInputField[]): Record<string, unknown> =>
  Object.fromEntries(fields.filter(isNeeded).map((field) => [field.name, harmless(field.type)]));

const selection = (type: GraphQLOutputType, depth: number): string => {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).filter(({ args }) => args.length === 0);
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type))).map(({ name }) => name);
  const inner = fields
    .filter((field) => depth > 1 && isObjectType(getNamedType(field.type)))
    .map((field) => `${field.name} ${selection(field.type, depth - 1)}`);
  return `{ ${[...leaves, ...inner].join(' ') || '__typename'} }`;
};

/** One root field with any selection below it. */
export const operationOf = (
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
  below = selection(field.type, 2),
): Operation => {
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const [variables, args] = field.args.length === 0 ? ['', ''] : [`(${declared})`, `(${passed})`];
  return {
    name: field.name,
    document: `${kind} ${variables} { ${field.name}${args} ${below} }`,
    // A variable of a non-null type must be given even where the argument has a default.
    variables: Object.fromEntries(
      field.args.filter(({ type }) => isNonNullType(type)).map(({ name, type }) => [name, harmless(type)]),
    ),
    arguments: field.args,
  };
};

/** Root fields with their kind. */
export const rootFields = (schema: GraphQLSchema): ['query' | 'mutation', GraphQLField<unknown, unknown>][] => [
  ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field): ['query', typeof field] => ['query', field]),
  ...Object.values(schema.getMutationType()?.getFields() ?? {}).map((field): ['mutation', typeof field] => [
    'mutation',
    field,
  ]),
];

/** Every root field of the schema. */
export const operations = (schema: GraphQLSchema): Operation[] => [
  ...rootFields(schema).map(([kind, field]) => operationOf(kind, field)),
];

/** Every place of the arguments where a value can stand, as a path of names. */
export const places = (
  operation: Operation,
): { readonly path: readonly string[]; readonly type: GraphQLInputType }[] => {
  const walk = (path: readonly string[], type: GraphQLInputType): ReturnType<typeof places> => {
    const named = getNamedType(type);
    const own = [{ path, type }];
    if (!isInputObjectType(named)) return own;
    return [...own, ...Object.values(named.getFields()).flatMap((field) => walk([...path, field.name], field.type))];
  };
  return operation.arguments.flatMap(({ name, type }) => walk([name], type));
};

/** The harmless variables with one value put in its place; a list on the way gets one item. */
export const withValue = (operation: Operation, path: readonly string[], value: unknown): Record<string, unknown> => {
  const put = (base: unknown, rest: readonly string[]): unknown => {
    const [name, ...inner] = rest;
    if (name === undefined) return value;
    if (Array.isArray(base)) return [put(base[0] ?? {}, rest)];
    const object = typeof base === 'object' && base !== null ? base : {};
    return { ...object, [name]: put(Reflect.get(object, name), inner) };
  };
  return put(operation.variables, path) as Record<string, unknown>;
};
