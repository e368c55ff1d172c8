import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRolesFile } from './roles.js';

/**
 * A login that may act as mem_owner: the migrator's, or a superuser's. Named by the environment, or kept by `npm start` beside
 * its data, for whoever runs both from one folder. @throws Error that says what to set
 */
export const migratorUrl = (env: NodeJS.ProcessEnv): string => {
  const localFile = join(env['TEMPERA_DATA_DIR'] ?? '.tempera', 'database-roles.json');
  const rolesFile = env['TEMPERA_ROLES_FILE'] ?? (existsSync(localFile) ? localFile : undefined);
  const url =
    env['DATABASE_MIGRATOR_URL'] ??
    env['DATABASE_ADMIN_URL'] ??
    (rolesFile === undefined ? undefined : readRolesFile(rolesFile).migrator);
  if (url !== undefined) return url;
  throw new Error(
    'Run it in the folder of `npm start`, or set DATABASE_MIGRATOR_URL, DATABASE_ADMIN_URL or TEMPERA_ROLES_FILE.',
  );
};
