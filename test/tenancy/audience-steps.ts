import { randomUUID } from 'node:crypto';
import type { AudienceModel, ModelMemory, Place, ProjectRole, Scope } from './audience-model.js';

/** What the database said to one statement of one person. */
export interface Outcome {
  readonly isDone: boolean;
  readonly value: unknown;
}

/** How a step reaches the database. */
export interface Bench {
  readonly model: AudienceModel;
  readonly tenantId: string;
  /** An admin who is never removed: he runs the people. */
  readonly owner: string;
  /** Runs one statement as someone, and keeps what it did; refusals are outcomes. */
  readonly as: (who: string, sql: string, values: readonly unknown[]) => Promise<Outcome>;
  /** The id of a memory's latest change. */
  readonly latestChange: (memory: string) => Promise<string>;
  readonly pick: <T>(from: readonly T[]) => T;
}

/** What a step expected and what happened. */
export interface Step {
  readonly what: string;
  readonly expected: boolean;
  readonly actual: boolean;
}

const projectsOf = ({ model }: Bench): string[] => [
  ...new Set([...model.roles.keys()].map((key) => key.split('/')[0] ?? '')),
];

const anyPlace = (bench: Bench): Place => {
  const scope = bench.pick<Scope>(['private', 'project', 'project', 'group', 'group', 'tenant']);
  const project = scope === 'tenant' ? null : bench.pick(projectsOf(bench));
  return {
    scope,
    project: scope === 'private' && bench.pick([true, false]) ? null : project,
    group: scope === 'group' ? bench.pick([...bench.model.groups.keys()]) : null,
  };
};
const anyPerson = (bench: Bench): string => bench.pick([...bench.model.people.keys()]);
const anyMemory = (bench: Bench): ModelMemory => bench.pick([...bench.model.memories.values()]);
/** Mostly the owner, or nothing would ever happen. */
const mover = (bench: Bench, memory: ModelMemory): string => bench.pick([memory.owner, memory.owner, anyPerson(bench)]);
/** Mostly where it could go: its own project, with a group that the project is in. */
const placeFor = (bench: Bench, memory: ModelMemory): Place => {
  const wild = anyPlace(bench);
  return wild.scope === 'tenant' || memory.project === null || bench.pick([true, false])
    ? wild
    : { ...wild, project: memory.project };
};
const told = ({ scope, project, group }: Place): string => `${scope} ${project ?? '-'} ${group ?? '-'}`;

const captureStep = async (bench: Bench): Promise<Step> => {
  const { model } = bench;
  const [who, to, id] = [anyPerson(bench), anyPlace(bench), randomUUID()];
  const expected = model.mayCapture(who, to);
  const { isDone } = await bench.as(
    who,
    `with kept as (insert into memory (tenant_id, id, owner_id, scope, project_id, group_id, kind, title, text, valid_from,
        started_at, ended_at) values ($1, $2, $3, $4, $5, $6, 'decision', 't', 't', now(), now(), now()) returning id)
     select 1 from kept`,
    [bench.tenantId, id, who, to.scope, to.project, to.group],
  );
  if (isDone) {
    model.memories.set(id, { ...to, id, owner: who });
    await bench.as(
      who,
      `insert into embedding (tenant_id, memory_id, encoder, content_hash, vector) values ($1, $2, 'test@0', '\\x00', '[1,0,0]')`,
      [bench.tenantId, id],
    );
  }
  return { what: `capture ${who} ${told(to)}`, expected, actual: isDone };
};

const moveStep = async (bench: Bench, verb: 'share' | 'demote'): Promise<Step> => {
  const { model } = bench;
  const memory = anyMemory(bench);
  const [who, to] = [mover(bench, memory), placeFor(bench, memory)];
  const expected = verb === 'share' ? model.mayShare(who, memory, to) : model.mayDemote(who, memory, to);
  const { isDone } = await bench.as(who, `select ${verb}_memory($1, $2, $3, $4)`, [
    memory.id,
    to.scope,
    to.project,
    to.group,
  ]);
  if (isDone) model.move(memory.id, to, await bench.latestChange(memory.id));
  return { what: `${verb} ${who} ${told(memory)} to ${told(to)}`, expected, actual: isDone };
};

const transferStep = async (bench: Bench): Promise<Step> => {
  const memory = anyMemory(bench);
  const [who, to] = [mover(bench, memory), anyPerson(bench)];
  const expected = bench.model.mayTransfer(who, memory, to);
  const { isDone } = await bench.as(who, 'select transfer_memory($1, $2)', [memory.id, to]);
  if (isDone) bench.model.move(memory.id, { owner: to }, await bench.latestChange(memory.id));
  return { what: `transfer ${who} ${told(memory)} to ${to}`, expected, actual: isDone };
};

const undoStep = async (bench: Bench): Promise<Step> => {
  const { model } = bench;
  if (model.changes.length === 0) return captureStep(bench);
  const change = bench.pick([model.changes.at(-1) ?? bench.pick(model.changes), bench.pick(model.changes)]);
  const who = bench.pick([model.memories.get(change.memory)?.owner ?? '', anyPerson(bench)]);
  const expected = model.mayUndo(who, change);
  const { isDone } = await bench.as(who, 'select undo_audience_change($1)', [change.id]);
  if (isDone) model.move(change.memory, change.from, await bench.latestChange(change.memory), change);
  return { what: `undo ${who} ${told(change.to)} to ${told(change.from)}`, expected, actual: isDone };
};

const groupStep = async (bench: Bench): Promise<Step> => {
  const { model } = bench;
  const [who, group] = [anyPerson(bench), bench.pick([...model.groups.keys()])];
  const project = bench.pick(projectsOf(bench));
  const values = [bench.tenantId, group, project];
  const verb = bench.pick(['join', 'join', 'leave', 'return'] as const);
  if (verb === 'join') {
    const expected = model.mayJoin(who, group, project);
    const sql = 'insert into group_project (tenant_id, group_id, project_id) values ($1, $2, $3)';
    const { isDone } = await bench.as(who, sql, values);
    if (isDone) model.groups.get(group)?.add(project);
    return { what: `join ${who} ${group} ${project}`, expected, actual: isDone };
  }
  if (verb === 'leave') {
    const expected = model.mayLeave(who, group, project);
    const sql = 'delete from group_project where tenant_id = $1 and group_id = $2 and project_id = $3';
    const { isDone } = await bench.as(who, sql, values);
    if (isDone) model.groups.get(group)?.delete(project);
    return { what: `leave ${who} ${group} ${project}`, expected, actual: isDone };
  }
  const expected = model.mayReturn(who, group, project);
  const { isDone } = await bench.as(who, 'select return_group_memories($1, $2)', [group, project]);
  if (isDone) {
    const shared = [...model.memories.values()].filter((one) => one.group === group && one.project === project);
    for (const { id } of shared) model.move(id, { scope: 'project', group: null }, await bench.latestChange(id));
  }
  return { what: `return ${who} ${group} ${project}`, expected, actual: isDone };
};

const proposeStep = async (bench: Bench): Promise<Step> => {
  const { model } = bench;
  const memory = anyMemory(bench);
  const [who, id] = [mover(bench, memory), randomUUID()];
  const place = placeFor(bench, memory);
  const to: Place = place.scope === 'private' ? { scope: 'tenant', project: null, group: null } : place;
  const expected = model.mayPropose(who, memory, to);
  const { isDone } = await bench.as(
    who,
    `insert into proposal (tenant_id, id, memory_id, proposer_id, to_scope, to_project_id, to_group_id)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [bench.tenantId, id, memory.id, who, to.scope, to.project, to.group],
  );
  if (isDone) model.proposals.set(memory.id, { id, memory: memory.id, proposer: who, to });
  return { what: `propose ${who} ${told(memory)} to ${told(to)}`, expected, actual: isDone };
};

const decideStep = async (bench: Bench): Promise<Step> => {
  const { model } = bench;
  if (model.proposals.size === 0) return proposeStep(bench);
  const proposal = bench.pick([...model.proposals.values()]);
  const who = bench.pick([bench.owner, proposal.proposer, anyPerson(bench), anyPerson(bench)]);
  const verb = bench.pick(['approve', 'approve', 'decline', 'withdraw'] as const);
  const isOwn = proposal.proposer === who && model.people.get(who)?.active === true;
  const expected = verb === 'withdraw' ? isOwn : model.decides(who, proposal);
  const more = verb === 'decline' ? ", 'no'" : '';
  const { isDone, value } = await bench.as(who, `select ${verb}_proposal($1${more}) as value`, [proposal.id]);
  if (isDone) {
    const stands = model.stands(proposal);
    model.proposals.delete(proposal.memory);
    if (verb === 'approve' && value !== (stands ? 'approved' : 'stale')) {
      return { what: `approve ${who}: ${String(value)}`, expected: stands, actual: value === 'approved' };
    }
    if (value === 'approved') model.move(proposal.memory, proposal.to, await bench.latestChange(proposal.memory));
  }
  return { what: `${verb} ${who} ${told(proposal.to)}`, expected, actual: isDone };
};

/** The tenant's owner puts people in and out, and a project begins or ends to review. */
const peopleStep = async (bench: Bench): Promise<Step> => {
  const { model, owner, tenantId } = bench;
  const project = bench.pick(projectsOf(bench));
  const who = bench.pick([...model.people.keys()].filter((id) => id !== owner));
  const verb = bench.pick(['role', 'role', 'role', 'out', 'remove', 'review'] as const);
  if (verb === 'role') {
    const role = bench.pick<ProjectRole>(['maintainer', 'contributor', 'contributor', 'reader']);
    const sql = `insert into membership (tenant_id, project_id, user_id, role) values ($1, $2, $3, $4)
      on conflict (tenant_id, project_id, user_id) do update set role = excluded.role`;
    const { isDone } = await bench.as(owner, sql, [tenantId, project, who, role]);
    model.roles.set(`${project}/${who}`, role);
    return { what: `role ${who} ${project} ${role}`, expected: true, actual: isDone };
  }
  if (verb === 'review') {
    const isReviewing = !model.reviewing.delete(project);
    if (isReviewing) model.reviewing.add(project);
    const sql = 'update project set review_required = $3 where tenant_id = $1 and id = $2';
    const { isDone } = await bench.as(owner, sql, [tenantId, project, isReviewing]);
    return { what: `review ${project} ${String(isReviewing)}`, expected: true, actual: isDone };
  }
  if (verb === 'out') {
    // Half of the time someone who waits for a decision there.
    const waiting = [...model.proposals.values()].filter((one) => one.to.project !== null && one.proposer !== owner);
    const asked = waiting.length > 0 && bench.pick([true, false]) ? bench.pick(waiting) : null;
    const [whom, where] = asked === null ? [who, project] : [asked.proposer, asked.to.project ?? project];
    const expected = model.roles.delete(`${where}/${whom}`);
    const sql = 'delete from membership where tenant_id = $1 and project_id = $2 and user_id = $3';
    const { isDone } = await bench.as(owner, sql, [tenantId, where, whom]);
    if (expected) endProposals(bench, whom, where);
    return { what: `out ${whom} ${where}`, expected, actual: isDone };
  }
  const person = model.people.get(who);
  if (person === undefined) throw new Error('nobody');
  person.active = !person.active;
  if (!person.active) endProposals(bench, who, null);
  const sql = 'update app_user set status = $3 where tenant_id = $1 and id = $2';
  const { isDone } = await bench.as(owner, sql, [tenantId, who, person.active ? 'active' : 'removed']);
  return { what: `active ${who} ${String(person.active)}`, expected: true, actual: isDone };
};

const endProposals = ({ model }: Bench, who: string, project: string | null): void => {
  for (const [memory, { proposer, to }] of model.proposals) {
    if (proposer === who && (project === null || to.project === project)) model.proposals.delete(memory);
  }
};

/** One random act of a random person. */
export const randomStep = (bench: Bench): Promise<Step> => {
  const few =
    bench.model.memories.size < 12 || (bench.model.memories.size < 60 && bench.pick([true, false, false, false]));
  if (few) return captureStep(bench);
  const act = bench.pick([
    () => moveStep(bench, 'share'),
    () => moveStep(bench, 'share'),
    () => moveStep(bench, 'demote'),
    () => transferStep(bench),
    () => undoStep(bench),
    () => groupStep(bench),
    () => groupStep(bench),
    () => proposeStep(bench),
    () => decideStep(bench),
    () => peopleStep(bench),
  ]);
  return act();
};
