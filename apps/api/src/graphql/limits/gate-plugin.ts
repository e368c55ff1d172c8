import type { ApolloServerPlugin, GraphQLRequestContext } from '@apollo/server';
import { AppError } from '@tempera/client-kit';
import { type FragmentDefinitionNode, getVariableValues, Kind } from 'graphql';
import type { Caller } from '../../auth/caller.js';
import type { GraphqlContext } from '../graphql-context.js';
import { currentScope } from '../request-scope.js';
import { inStage } from '../../telemetry/stage.js';
import { retryHead, wholeRefusal } from '../whole-refusal.js';
import { MAX_COST } from './cost.js';
import { measureCost } from './measure-cost.js';
import { faultInDocument, faultInVariables } from './text-rule.js';

/** Without an operation, whatever Apollo's types say, where the name of none was given or the name of no one. */
type Resolved = GraphQLRequestContext<GraphqlContext>;

/** Notes for the log which fields are asked; never their arguments. */
const noteOperation = ({ operation }: Resolved): void => {
  const scope = currentScope();
  if (scope === undefined || operation === undefined) return;
  const fields = operation.selectionSet.selections.flatMap((node) => (node.kind === Kind.FIELD ? node.name.value : []));
  scope.fields = fields;
};

/** The one place where what was sent is checked for what cannot be stored. */
const checkTexts = ({ request, document }: Resolved): void => {
  const inDocument = document === undefined ? null : faultInDocument(document);
  const fault = faultInVariables(request.variables ?? {}) ?? inDocument;
  if (fault !== null) throw new AppError('invalid-input', 'request-text', `The request ${fault}.`);
};

/** What the operation may cost at most; null where it cannot run, which Apollo then says: wrong variables, no operation. */
const costOf = ({ schema, operation, document, request }: Resolved): number | null => {
  if (operation === undefined || document === undefined) return null;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables ?? {}, {
    maxErrors: 1,
  });
  if (coerced === undefined) return null;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  return measureCost({ schema, operation, fragments, variables: coerced });
};

const checkCost = (cost: number): void => {
  if (cost <= MAX_COST) return;
  const message = `The request may cost ${cost} points and at most ${MAX_COST} are allowed; ask for shorter pages or fewer fields.`;
  throw new AppError('invalid-input', 'query-cost', message, { details: { cost, maximum: MAX_COST } });
};

/** Charges a person for a request. @throws AppError `limit-exceeded` */
export type Charge = (caller: Caller, points: number) => Promise<void>;

/** Waits until it is a request's turn. @returns ends the turn @throws AppError `unavailable` */
export type TakeTurn = (caller: Caller, isLong: boolean) => Promise<() => void>;

export interface Gate {
  readonly charge: Charge;
  readonly takeTurn: TakeTurn;
}

/** Fields whose work takes seconds, for one person's sake. */
const LONG_FIELDS = new Set([
  ...['captureMany', 'importMemories', 'review', 'consolidate', 'cleanup'],
  ...['propagationPreview', 'verifyAudit'],
]);

const isLong = ({ operation }: Resolved): boolean =>
  operation?.selectionSet.selections.some((node) => node.kind === Kind.FIELD && LONG_FIELDS.has(node.name.value)) ??
  false;

/**
 * What every request passes before any resolver runs, in order: storable texts, what it may cost, whether its caller
 * has so many points left, and its turn among the others. Operators are few and pay nothing; without a login only what lets somebody in can be reached,
 * and that counts wrong attempts.
 */
export const gatePlugin = ({ charge, takeTurn }: Gate): ApolloServerPlugin<GraphqlContext> => ({
  async requestDidStart() {
    let cost: number | null = null;
    let endTurn = (): void => undefined;
    return {
      async didResolveOperation(resolved) {
        noteOperation(resolved);
        try {
          checkTexts(resolved);
          cost = costOf(resolved);
          if (cost !== null) checkCost(cost);
          const { caller } = resolved.contextValue;
          if (cost === null || caller === undefined) return;
          const points = cost;
          await inStage('request', 'limits', () => charge(caller, points));
          endTurn = await inStage('request', 'turn', () => takeTurn(caller, isLong(resolved)));
        } catch (error) {
          throw wholeRefusal(error);
        }
      },
      async willSendResponse({ response: { body, http } }) {
        endTurn();
        if (body.kind !== 'single') return;
        const { data, errors } = body.singleResult;
        const head = (http.status ?? 200) === 200 ? retryHead(data, errors) : null;
        if (head !== null) {
          http.status = head.status;
          for (const [name, value] of head.headers) http.headers.set(name, value);
          // As where nothing ran; Nest sets 200 wherever there is `data`, were it null.
          delete body.singleResult.data;
        }
        // A client sees what its requests cost before a limit tells it.
        if (cost === null) return;
        body.singleResult.extensions = { ...body.singleResult.extensions, cost: { points: cost, maximum: MAX_COST } };
      },
    };
  },
});
