import { type GraphQLObjectType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { type Operation, operationOf, rootFields } from './schema-walk.js';

/** A way through the schema from a root field to an object of a type. */
export interface SchemaPath {
  readonly kind: 'query' | 'mutation';
  /** The root field first. */
  readonly fields: readonly string[];
  readonly type: string;
  /** The operation that asks for these fields of the object at the end. */
  readonly asking: (leaves: string) => Operation;
}

/** Documents may be eight levels deep (docs/design.md G2). */
const MAX_FIELDS = 7;

interface Step {
  readonly type: GraphQLObjectType;
  readonly fields: readonly string[];
}

/** Everything reachable from `type`; a way may come to each type twice, since a memory leads to memories. */
const walk = (type: GraphQLObjectType, fields: readonly string[], seen: readonly string[]): Step[] => {
  const here: Step = { type, fields };
  if (fields.length >= MAX_FIELDS || seen.filter((name) => name === type.name).length > 1) return [here];
  const next = Object.values(type.getFields()).filter(({ args }) => args.length === 0);
  return [
    here,
    ...next.flatMap((field) => {
      const named = getNamedType(field.type);
      const isNew = isObjectType(named) && seen.filter((name) => name === named.name).length < 2;
      return isNew ? walk(named, [...fields, field.name], [...seen, named.name]) : [];
    }),
  ];
};

/** Every way to every object type, each type at most twice on a way. */
export const schemaPaths = (schema: GraphQLSchema): SchemaPath[] =>
  rootFields(schema).flatMap(([kind, root]) => {
    const type = getNamedType(root.type);
    if (!isObjectType(type)) return [];
    return walk(type, [root.name], [type.name]).map(({ type: reached, fields }): SchemaPath => ({
      kind,
      fields,
      type: reached.name,
      asking: (leaves) => {
        const below = fields.slice(1).reduceRight((inner, name) => `{ ${name} ${inner} }`, `{ ${leaves} }`);
        return operationOf(kind, root, below);
      },
    }));
  });

/** The objects at the end of a path in an answer: lists on the way are gone through, nothing where nothing is. */
export const reachedBy = (data: unknown, fields: readonly string[]): Record<string, unknown>[] => {
  const [first, ...rest] = fields;
  if (Array.isArray(data)) return data.flatMap((item) => reachedBy(item, fields));
  if (typeof data !== 'object' || data === null) return [];
  return first === undefined ? [data as Record<string, unknown>] : reachedBy(Reflect.get(data, first), rest);
};
