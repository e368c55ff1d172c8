import fc from 'fast-check';
import { withAttacker, type Attacker, type Claim } from '../attacker.js';
import { tablesOf } from '../sight.js';
import type { Finding, World } from '../world.js';

/** What people put into settings to see what happens. NUL is refused by the protocol itself. */
const forged = (uuid: string): string[] => [
  '',
  'x',
  ' '.repeat(36),
  '\t\n',
  'null',
  '0',
  '*',
  '%',
  "' or 1=1 --",
  `${uuid}'`,
  ` ${uuid}x`,
  uuid.replaceAll('-', ''),
  `{${uuid}}`,
  uuid.toUpperCase(),
  `${uuid},${uuid}`,
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '\u0000',
  '٠'.repeat(36),
];

const countAll = async (attacker: Attacker, names: readonly string[], claim: Claim): Promise<string[]> => {
  const leaks: string[] = [];
  await attacker.claiming(claim, async () => {
    for (const name of names) {
      const answer = await attacker.attempt(`select 1 from ${name} limit 1`);
      if (answer.kind === 'rows' && answer.count > 0) leaks.push(`${name} opens to ${JSON.stringify(claim)}`);
    }
  });
  return leaks;
};

/** Claims where the tenant, the user or both are false; a true tenant never comes with its own true user. */
const claims = (world: World, texts: readonly string[]): Claim[] => {
  const [first] = world.citizens;
  const stranger = world.citizens.find((citizen) => citizen.tenantId !== first?.tenantId);
  if (!first || !stranger) return [];
  return [
    ...texts.flatMap((text) => [
      { tenantId: text, userId: text },
      { tenantId: first.tenantId, userId: text === first.userId ? '' : text },
      { tenantId: text === first.tenantId ? '' : text, userId: stranger.userId },
    ]),
    { tenantId: first.tenantId, userId: stranger.userId },
    { tenantId: stranger.tenantId, userId: first.userId },
    { tenantId: first.userId, userId: first.tenantId },
  ];
};

const ignoringCase = (claim: Claim, world: World): boolean =>
  world.citizens.some(
    (citizen) =>
      citizen.tenantId === claim.tenantId.trim().toLowerCase() && citizen.userId === claim.userId.trim().toLowerCase(),
  );

/** Errors of the cast or of the protocol are as good as no rows; a claim that fails to begin reached nothing. */
const guarded = async (work: () => Promise<string[]>): Promise<string[]> => {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return /invalid byte sequence|null character|0x00/i.test(message) ? [] : [message];
  }
};

/** Attack 1.2: no context, forged context, and `strings` random ones; never a row. */
export const forgedContext = async (world: World, strings = 1_000): Promise<Finding> =>
  withAttacker(world, 'mem_app', async (attacker) => {
    const leaks: string[] = [];
    const names = (await tablesOf(world)).map((table) => table.name);
    const [first] = world.citizens;
    for (const claim of claims(world, forged(first?.tenantId ?? ''))) {
      if (ignoringCase(claim, world)) continue;
      leaks.push(...(await guarded(() => countAll(attacker, names, claim))));
    }
    const random = fc.sample(
      fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }), fc.uuid()),
      {
        numRuns: strings,
        seed: 20_261_130,
      },
    );
    for (const text of random) {
      const claim = { tenantId: text, userId: first?.userId ?? '' };
      leaks.push(...(await guarded(() => countAll(attacker, ['memory'], claim))));
    }
    return { attempts: attacker.attempts(), leaks };
  });
