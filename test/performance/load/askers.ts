import { asId, type TenantId, type UserId } from '@tempera/core';
import { ACCESS_LIFE_SECONDS, issueAccessToken, type KeySet } from '@tempera/platform';
import { randomUUID } from 'node:crypto';
import { subjectOf, type PlannedTenant } from './plan.js';
import type { Asker } from './seed-tenants.js';

/** A question by somebody, with what is known of its answer. */
export interface Asked {
  readonly asker: Asker;
  readonly tenant: PlannedTenant;
  readonly subject: number;
  /** Memories of that subject which the asker sees. */
  readonly seen: number;
}

/** Draws people and what they ask about. */
export interface Crowd {
  /** Who knows much asks much: a tenant is drawn as often as it has memories. */
  readonly draw: (random: () => number) => Asked;
  /** Somebody of this one tenant. */
  readonly drawIn: (tenantId: string, random: () => number) => Asked;
}

interface Group {
  readonly tenant: PlannedTenant;
  readonly askers: readonly Asker[];
}

const pick = <T>(items: readonly T[], random: () => number): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('Nothing to draw from.');
  return item;
};

const groupedBy = (askers: readonly Asker[]): ReadonlyMap<string, readonly Asker[]> => {
  const groups = new Map<string, Asker[]>();
  for (const asker of askers) groups.set(asker.tenantId, [...(groups.get(asker.tenantId) ?? []), asker]);
  return groups;
};

/** @param seen by user and subject */
export const crowdOf = (
  plan: readonly PlannedTenant[],
  askers: readonly Asker[],
  seen: ReadonlyMap<string, number>,
  subjects: number,
): Crowd => {
  const byTenant = groupedBy(askers);
  const groups = plan.map((tenant): Group => ({ tenant, askers: byTenant.get(tenant.tenantId) ?? [] }));
  const total = plan.reduce((sum, { memories }) => sum + memories, 0);
  const ask = ({ tenant, askers: people }: Group, random: () => number): Asked => {
    const asker = pick(people, random);
    const subject = subjectOf(tenant, Math.floor(random() * tenant.subjects), subjects);
    return { asker, tenant, subject, seen: seen.get(`${asker.userId} ${subject}`) ?? 0 };
  };
  const weighted = (at: number): Group => {
    let left = at;
    for (const group of groups) if ((left -= group.tenant.memories) < 0) return group;
    throw new Error('Nobody to draw.');
  };
  return {
    draw: (random) => ask(weighted(random() * total), random),
    drawIn: (tenantId, random) =>
      ask(
        pick(
          groups.filter(({ tenant }) => tenant.tenantId === tenantId),
          random,
        ),
        random,
      ),
  };
};

/** Access tokens as the service itself issues them, made anew before they end. */
export const tokensFor = (url: string, keys: KeySet): ((asker: Asker) => Promise<string>) => {
  const held = new Map<string, { readonly token: string; readonly until: number }>();
  return async ({ tenantId, userId, sessionId }) => {
    const known = held.get(sessionId);
    if (known !== undefined && known.until > Date.now()) return known.token;
    const subject = { tenantId: asId<TenantId>(tenantId), userId: asId<UserId>(userId), sessionId, generation: 0 };
    const options = { issuer: url, audience: `${url}/graphql`, keys };
    const { token } = await issueAccessToken(options, subject, randomUUID(), new Date());
    held.set(sessionId, { token, until: Date.now() + (ACCESS_LIFE_SECONDS - 120) * 1_000 });
    return token;
  };
};
