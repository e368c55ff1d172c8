import type { ApolloDriver } from '@nestjs/apollo';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { AppError, type GraphqlAsker, graphqlAnswer, readField, refusalIn } from '@tempera/client-kit';
import type { GraphqlContext } from '../graphql/graphql-context.js';

/**
 * Puts operations to this very process, as a person: through the whole way that a request over HTTP goes once it is
 * identified, with its guards, limits, turns and redaction. No token is passed on, since none is needed.
 */
@Injectable()
export class InProcessAsker {
  constructor(private readonly modules: ModuleRef) {}

  /** Asks as one person; `newContext` is asked for each operation, which shares no loaded row with another. */
  as(newContext: () => GraphqlContext): GraphqlAsker {
    const { graphQlAdapter } = this.modules.get<GraphQLModule<ApolloDriver>>(GraphQLModule, { strict: false });
    return {
      ask: async (query, variables, field, shape) => {
        const contextValue = newContext();
        const { body } = await graphQlAdapter.instance.executeOperation(
          { query, variables: { ...variables } },
          { contextValue },
        );
        if (body.kind !== 'single') throw new AppError('internal', 'answer-in-parts', 'An answer came in parts.');
        const answer = graphqlAnswer.parse(plain(body.singleResult));
        const refusal = refusalIn(answer, contextValue.requestId);
        if (refusal !== null) throw refusal;
        return readField(answer.data, field, shape);
      },
    };
  }
}

/** As it would have arrived over HTTP: dates as text, objects without prototypes of their own. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
