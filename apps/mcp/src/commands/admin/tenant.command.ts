import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { OWN_TENANT, UPDATE_TENANT } from '../../graphql/admin-operations.js';
import { given } from '../command.js';
import { factLines, named, showDone } from '../lists.js';
import type { Call, Verbs } from '../verb.js';

const tenantShape = z.object({ id: z.string(), name: z.string(), timeZone: z.string() });

const update = async (call: Call): Promise<void> => {
  const input = given({ name: call.options['name'], timeZone: call.options['timeZone'] });
  if (Object.keys(input).length === 0) {
    throw new AppError('invalid-input', 'no-change', 'Nothing to change: say --name or --time-zone.');
  }
  const tenant = await call.asker.ask(UPDATE_TENANT, { input }, 'updateTenant', tenantShape, true);
  showDone(call, 'Changed', `tenant ${named(tenant.name)}, time zone ${named(tenant.timeZone)}.`, tenant);
};

/** `tempera admin tenant` */
export const OWN_TENANT_VERBS: Verbs = {
  show: {
    summary: 'show your tenant',
    examples: ['tenant show'],
    run: async ({ asker, terminal }) => {
      const { tenant } = await asker.ask(OWN_TENANT, {}, 'me', z.object({ tenant: tenantShape }), true);
      const { id, name, timeZone } = tenant;
      terminal.result(
        factLines([
          ['id', id],
          ['name', name],
          ['time zone', timeZone],
        ]),
        tenant,
      );
    },
  },
  update: {
    summary: 'change the name or the time zone of your tenant',
    options: [
      ['--name <name>', 'its new name'],
      ['--time-zone <zone>', 'of its nights and dates, such as Europe/Zurich'],
    ],
    examples: ['tenant update --time-zone Europe/Zurich'],
    run: update,
  },
};
