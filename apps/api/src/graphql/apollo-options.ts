import type { ApolloDriverConfig } from '@nestjs/apollo';
import type { Logger } from '@tempera/platform';
import { redactingSchema } from '../redaction/redacting-schema.js';
import { errorReporter } from './error-reporter.js';
import { limitRule, MAX_TOKENS } from './limits/limit-rule.js';
import { type Gate, gatePlugin } from './limits/gate-plugin.js';

export interface ApolloChoices {
  /** On for developers at home; off in production. */
  readonly introspection: boolean;
  readonly logger: Logger;
  readonly gate: Gate;
}

/** Everything that bounds or hides, said in full: nothing here may depend on NODE_ENV or on a default. */
export const apolloOptions = ({ introspection, logger, gate }: ApolloChoices): ApolloDriverConfig => ({
  path: '/graphql',
  autoSchemaFile: true,
  transformSchema: redactingSchema,
  introspection,
  graphiql: false,
  csrfPrevention: true,
  allowBatchedHttpRequests: false,
  persistedQueries: false,
  includeStacktraceInErrorResponses: false,
  hideSchemaDetailsFromClientErrors: true,
  maxRecursiveSelections: true,
  stopOnTerminationSignals: false,
  // Nest would answer its own HTTP exceptions in their words; ours go through the one table.
  autoTransformHttpErrors: false,
  parseOptions: { maxTokens: MAX_TOKENS },
  validationRules: [limitRule({ introspection })],
  plugins: [gatePlugin(gate)],
  formatError: errorReporter(logger),
  logger: quietly(logger),
});

/** Apollo's own lines name no request; what matters of them is reported by {@link errorReporter}. */
const quietly = (logger: Logger): NonNullable<ApolloDriverConfig['logger']> => {
  const child = logger.child({ part: 'apollo' });
  const say =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message?: unknown): void =>
      child[level]({ note: String(message).slice(0, 200) }, 'apollo');
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
};
