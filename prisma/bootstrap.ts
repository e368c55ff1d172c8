import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { bootstrapSql } from './migration-files.js';
import { loginRoles, type LoginName, type RoleUrls } from './roles.js';

const attempts = 20;

/** Roles belong to the cluster: two databases of one cluster that are bootstrapped at once collide, harmlessly. */
const isCollision = (error: unknown): boolean =>
  error instanceof Error &&
  /tuple concurrently (updated|deleted)|duplicate key value violates unique constraint "pg_|already exists/.test(
    error.message,
  );

/** Gives the logins the passwords that their URLs carry. */
export const setPasswords = async (client: pg.Client, roles: RoleUrls): Promise<void> => {
  for (const [name, role] of Object.entries(loginRoles) as [LoginName, string][]) {
    const password = decodeURIComponent(new URL(roles[name]).password);
    await client.query(`alter role ${client.escapeIdentifier(role)} password ${client.escapeLiteral(password)}`);
  }
};

/**
 * Makes roles, extensions and database grants, and gives the logins the passwords of `roles`. Needs a superuser; running
 * it again changes nothing else.
 */
export const bootstrap = async (adminUrl: string, roles: RoleUrls): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query('begin');
        await client.query(bootstrapSql());
        await setPasswords(client, roles);
        await client.query('commit');
        return;
      } catch (error) {
        await client.query('rollback');
        if (attempt === attempts || !isCollision(error)) throw error;
        await wait(50 * attempt);
      }
    }
  } finally {
    await client.end();
  }
};
