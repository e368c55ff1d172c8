import { defaultFieldResolver, type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import { redactValue } from './redact-arguments.js';

type Arguments = Record<string, unknown>;

const redactedArguments = (args: Arguments, field: GraphQLField<unknown, unknown>, owner: string): Arguments =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const type = field.args.find((argument) => argument.name === name)?.type;
      return [name, type === undefined ? value : redactValue(value, type, `${owner}.${field.name}.${name}`).value];
    }),
  );

const guard = (field: GraphQLField<unknown, unknown>, owner: string): void => {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args: Arguments, context, info): unknown =>
    resolve(source, redactedArguments(args, field, owner), context, info);
};

/**
 * The one boundary that every text passes on its way in: before any resolver of any operation is called, and so before anything is hashed, compared,
 * embedded or stored. What an operation is given has no secrets that we know (docs/design.md M4).
 */
export const redactingSchema = (schema: GraphQLSchema): GraphQLSchema => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) if (field.args.length > 0) guard(field, type.name);
  }
  return schema;
};
