import { readFileSync } from 'node:fs';
import type { Doors } from '@tempera/platform';
import type { RoleUrls } from '../../prisma/roles.js';
import { asSuperuser } from '../support/cluster.js';

/** A database the checks can attack: native or embedded. */
export interface Target {
  readonly adminUrl: string;
  readonly urls: RoleUrls;
  readonly doors: Doors;
  /** The embedded database: one backend, every login a superuser; what only a native login can prove is left out. */
  readonly embedded?: boolean;
}

/** A user of the world, with his number 1..5 (see world.sql). */
export interface Citizen {
  readonly tenantId: string;
  readonly userId: string;
  readonly n: number;
}

/** What one check found. Only statements that reached the database count as attempts. */
export interface Finding {
  readonly attempts: number;
  readonly leaks: readonly string[];
}

/** Who lives in the database, and how to attack it. */
export interface World extends Target {
  readonly citizens: readonly Citizen[];
}

/** Fills an empty migrated database. */
export const populate = async (adminUrl: string, tenants: number): Promise<void> => {
  await asSuperuser(adminUrl, async (client) => {
    await client.query(`select set_config('world.tenants', $1, false)`, [String(tenants)]);
    await client.query(readFileSync(new URL('world.sql', import.meta.url), 'utf8'));
  });
};

/** The world that a populated database holds. */
export const inhabit = async (target: Target): Promise<World> => {
  const citizens = await asSuperuser(target.adminUrl, async (client) => {
    const { rows } = await client.query<Citizen>(
      `select tenant_id as "tenantId", id as "userId", right(display_name, 1)::int as n from app_user
       order by tenant_id, display_name`,
    );
    return rows;
  });
  return { ...target, citizens };
};
