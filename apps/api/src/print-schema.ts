import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { NOUNS } from './app.module.js';
import { DateTimeScalar } from './graphql/scalars/date-time.scalar.js';

const HEADER = `# Generated from the code by apps/api/src/schema-cli.ts; a test compares. Do not edit.\n\n`;

const isClass = (provider: unknown): provider is Type => typeof provider === 'function';

const resolversOf = (module: Type): Type[] => {
  const providers: unknown = Reflect.getMetadata('providers', module);
  return Array.isArray(providers)
    ? providers.filter(isClass).filter((provider) => Reflect.hasMetadata('graphql:resolver_type', provider))
    : [];
};

/** The schema as the code makes it, in SDL, sorted, without starting the service. */
export const printApiSchema = async (): Promise<string> => {
  const app = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: false });
  try {
    const schema = await app.get(GraphQLSchemaFactory).create(NOUNS.flatMap(resolversOf), [DateTimeScalar]);
    return `${HEADER}${printSchema(lexicographicSortSchema(schema))}\n`;
  } finally {
    await app.close();
  }
};
