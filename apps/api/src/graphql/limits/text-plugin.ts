import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError } from 'graphql';
import type { GraphqlContext } from '../graphql-context.js';
import { currentScope } from '../request-scope.js';
import { faultInDocument, faultInVariables } from './text-rule.js';

const rootFields = (names: readonly string[]): string => names.slice(0, 8).join(',');

/** The one place where text is checked for what cannot be stored; it also notes for the log which fields are asked. */
export const textPlugin: ApolloServerPlugin<GraphqlContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ request, document, operation }) {
        const scope = currentScope();
        if (scope !== undefined && operation !== undefined) {
          const fields = operation.selectionSet.selections.flatMap((node) =>
            node.kind === 'Field' ? node.name.value : [],
          );
          scope.operation = rootFields(fields);
        }
        const fault = faultInVariables(request.variables ?? {}) ?? faultInDocument(document);
        if (fault === null) return;
        throw new GraphQLError(`A text of the request ${fault}.`, {
          extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
        });
      },
    };
  },
};
