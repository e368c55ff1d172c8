import { join } from 'node:path';
import { AppError, isAppError, readField } from '@tempera/client-kit';
import { z } from 'zod';
import { graphqlRequest } from '../graphql/graphql-request.js';
import type { World } from '../world.js';
import { readPrivateJson, removePrivateFile, writePrivateJson } from './private-file.js';
import { ensurePrivateFolder, stateFolderPath } from './state-folder.js';

const fileShape = z.object({ server: z.string(), token: z.string(), validUntil: z.iso.datetime({ offset: true }) });

/** An operator's login: one short-lived token, which nothing renews. */
export type OperatorLogin = z.output<typeof fileShape>;

/** Where the token lies, for its user alone. */
export const operatorFile = (world: World): string => join(stateFolderPath(world), 'operator.json');

/** Keeps an operator's token, in the place of an earlier one. */
export const keepOperatorLogin = async (login: OperatorLogin, world: World): Promise<void> => {
  await ensurePrivateFolder(stateFolderPath(world));
  await writePrivateJson(operatorFile(world), login, world.randomHex());
};

/** @returns `null` when there is none */
export const readOperatorLogin = (world: World): Promise<OperatorLogin | null> =>
  readPrivateJson(operatorFile(world), fileShape);

/** Forgets the operator's token. */
export const forgetOperatorLogin = (world: World): Promise<void> => removePrivateFile(operatorFile(world));

const notOperator = (message: string): AppError =>
  new AppError('unauthenticated', 'not-operator', message, {
    details: {
      fix: 'Run `tempera admin login` with a one-time operator code, from `tempera admin operators code NAME` or `npm run operator-code`.',
    },
  });

/** Sends operations as the operator. */
class OperatorAsker {
  constructor(
    private readonly login: OperatorLogin,
    private readonly world: World,
  ) {}

  async ask<Shape extends z.ZodType>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    field: string,
    shape: Shape,
  ): Promise<z.output<Shape>> {
    const { server, token } = this.login;
    try {
      const { data } = await graphqlRequest({ server, query, variables, token }, this.world);
      return readField(data, field, shape);
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'unauthenticated') throw error;
      throw notOperator(`The operator's login to ${server} has ended.`);
    }
  }
}

/** @throws AppError `unauthenticated` when there is no operator's login, or it has ended */
export const operatorAsker = async (world: World): Promise<OperatorAsker> => {
  const login = await readOperatorLogin(world);
  if (login === null) throw notOperator('Not logged in as operator.');
  if (new Date(login.validUntil) <= world.now())
    throw notOperator(`The operator's login to ${login.server} has ended.`);
  return new OperatorAsker(login, world);
};
