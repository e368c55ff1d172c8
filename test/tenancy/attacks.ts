import { reportAttack } from '../support/attack-report.js';
import { catalogue } from './checks/catalogue.check.js';
import { forgedContext } from './checks/context.check.js';
import { copiedAudiences } from './checks/copy.check.js';
import { departures } from './checks/departure.check.js';
import { leftovers, rollbacks } from './checks/door.check.js';
import { crossAccess, machineSight } from './checks/matrix.check.js';
import { forbiddenMoves } from './checks/move.check.js';
import { curiousAdmins, privateMemories } from './checks/private.check.js';
import { allowedReferences, foreignReferences, machineForeignReferences } from './checks/reference.check.js';
import { overreach } from './checks/role.check.js';
import type { Finding, World } from './world.js';

/** One attack of docs/design.md, by its number there. */
export interface Attack {
  readonly number: string;
  /** The guarantee that stands when it finds nothing. */
  readonly guarantee: string;
  readonly run: (world: World) => Promise<Finding>;
}

/** The attacks on the database itself. */
export const attacks = {
  catalogue: {
    number: '1.1',
    guarantee: 'every table and partition is closed, keyed and granted as written',
    run: catalogue,
  },
  context: {
    number: '1.2',
    guarantee: 'no forged or missing context opens a row',
    run: (world) => forgedContext(world, world.embedded ? 200 : 1_000),
  },
  matrix: {
    number: '1.3',
    guarantee: 'everyone sees exactly what he may, and touches nothing else',
    run: (world) => crossAccess(world),
  },
  machines: { number: '1.3', guarantee: 'the machines see one tenant at a time', run: machineSight },
  rollback: { number: '1.6', guarantee: 'work that fails leaves nothing', run: rollbacks },
  references: {
    number: '1.7',
    guarantee: 'foreign, hidden and random ids are refused in the same words',
    run: foreignReferences,
  },
  machineReferences: {
    number: '1.7',
    guarantee: 'the machines cannot point at another tenant',
    run: machineForeignReferences,
  },
  control: { number: '1.7', guarantee: 'the same statements work with ids one may use', run: allowedReferences },
  moves: { number: '1.9', guarantee: 'nothing moves to another tenant, owner or audience', run: forbiddenMoves },
  copies: { number: '1.9', guarantee: 'what carries an audience goes where its memory goes', run: copiedAudiences },
  departures: {
    number: '1.10',
    guarantee: 'who is put out loses what is shared at the next statement',
    run: departures,
  },
  admins: { number: '1.11', guarantee: 'admins find no private memory of others', run: curiousAdmins },
  private: { number: '1.21', guarantee: 'a private memory in a shared project stays private', run: privateMemories },
  overreach: { number: '1.22', guarantee: 'each role is refused what is not its business', run: overreach },
  leftovers: {
    number: '1.2',
    guarantee: 'a door leaves nothing behind on its connection',
    run: (world) => leftovers(world),
  },
} as const satisfies Readonly<Record<string, Attack>>;

/** Name of an attack. */
export type AttackName = keyof typeof attacks;

/** Runs an attack and says what it found. */
export const report = async (attack: Attack, world: World): Promise<Finding> => {
  const finding = await attack.run(world);
  const where = world.embedded ? `${attack.guarantee}, embedded` : attack.guarantee;
  reportAttack(attack.number, finding.attempts, { leaks: finding.leaks.length }, where);
  return finding;
};
