import { neutraliseLine, tellError } from '@tempera/client-kit';
import { z } from 'zod';
import { INSTANCE_DOCTOR, TENANT_DOCTOR } from '../graphql/doctor-operations.js';
import { inTime } from '../graphql/in-time.js';
import type { Asker } from '../commands/pages.js';
import { operatorAsker, readOperatorLogin } from '../state/operator-login.js';
import { findWorkplace, serviceClient } from '../workplace.js';
import type { World } from '../world.js';
import type { Finding } from './look-around.js';

const findingShape = z.array(
  z.object({
    name: z.string(),
    verdict: z.enum(['OK', 'WARNING', 'FAILURE']),
    detail: z.string(),
    advice: z.string().nullable(),
  }),
);

const VERDICTS = { OK: 'ok', WARNING: 'warning', FAILURE: 'failure' } as const;

/** Who asks, and where. */
interface Patient {
  readonly server: string;
  readonly asker: Asker;
  readonly query: string;
  readonly field: string;
}

const lookedAs = async (isTenant: boolean, world: World): Promise<Patient> => {
  const operator = isTenant ? null : await readOperatorLogin(world);
  if (operator !== null) {
    const asker = await operatorAsker(world);
    return { server: operator.server, asker, query: INSTANCE_DOCTOR, field: 'instanceDoctor' };
  }
  const workplace = await findWorkplace(world);
  const asker = serviceClient(workplace, world);
  return { server: workplace.login?.server ?? '', asker, query: TENANT_DOCTOR, field: 'tenantDoctor' };
};

const statusShape = z.object({ status: z.string() });

/** Whether requests are to go there; answered without a login, so also where nobody can be let in. */
const lookAtReadiness = async (server: string, world: World): Promise<Finding> => {
  const name = 'service';
  try {
    const { response, said } = await inTime(async (signal) => {
      const answered = await world.fetch(`${server}/readyz`, { method: 'GET', redirect: 'error', signal });
      return { response: answered, said: (await answered.json()) as unknown };
    });
    const told = statusShape.safeParse(said);
    const detail = neutraliseLine(told.success ? told.data.status : `answered ${response.status}`, 200);
    if (response.ok) return { name, verdict: 'ok', detail: `${server}: ${detail}` };
    const advice = 'Look at the database, and at the log of the API.';
    return { name, verdict: 'failure', detail: `${server}: ${detail}`, advice, kind: 'unavailable' };
  } catch {
    const advice = 'Check that it runs and that the address is right.';
    return { name, verdict: 'failure', detail: `${server} cannot be reached`, advice, kind: 'unavailable' };
  }
};

/**
 * What is wrong with the instance, for whoever is logged in as its operator, else with the tenant of the login used here.
 * @param isTenant the tenant, also for an operator
 * @throws AppError `unauthenticated` where there is neither login
 */
export const lookAtService = async (isTenant: boolean, world: World): Promise<Finding[]> => {
  const { server, asker, query, field } = await lookedAs(isTenant, world);
  const ready = await lookAtReadiness(server, world);
  try {
    const found = await asker.ask(query, {}, field, findingShape, true);
    const told = found.map(({ name, verdict, detail, advice }) => ({
      name: neutraliseLine(name, 80),
      verdict: VERDICTS[verdict],
      detail: neutraliseLine(detail, 1_000),
      ...(advice === null ? {} : { advice: neutraliseLine(advice, 300) }),
    }));
    return [ready, ...told];
  } catch (error) {
    const { error: known, text } = tellError(error, 'person');
    return [ready, { name: 'doctor', verdict: 'failure', detail: text, kind: known.kind }];
  }
};
