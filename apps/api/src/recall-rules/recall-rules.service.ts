import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { type RecallRule as CoreRule, SHIPPED_RULES } from '@tempera/core';
import {
  appendAudit,
  deleteRecallRule,
  type Doors,
  findProjects,
  findRecallRule,
  inRuleOrder,
  insertRecallRule,
  listRecallRules,
  type RecallRuleRecord,
  type Tx,
  updateRecallRule,
} from '@tempera/platform';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireMaintainer } from '../projects/require-maintainer.js';
import { noSuchProject, requireProject } from '../projects/require-project.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import { parseRule, type RuleDraft } from './parse-rule.js';
import type { RecallRule, RecallRuleInput, RuleLevel } from './recall-rule.types.js';

/** Rules of one level; each is looked at for each candidate of each question. */
const MAX_RULES = 50;

const noSuchRule = (): AppError => new AppError('not-found', 'no-such-rule', 'No such recall rule.');

type Level = Pick<RecallRuleRecord, 'projectId' | 'userId'>;

/** What a tenant, a project or a person wants shown first, ahead, seldom or never. */
@Injectable()
export class RecallRulesService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** All that apply to the caller's questions, in their order, and the disabled ones. */
  list(caller: Caller, project: string | null): Promise<RecallRule[]> {
    return this.doors.asTenant(caller, async (tx) => {
      const projectId = project === null ? null : (await requireProject(tx, caller.tenantId, project)).id;
      const rules = await listRecallRules(tx, caller.tenantId, projectId);
      return [...SHIPPED_RULES.map(toShipped), ...inRuleOrder(rules).map(toRule)];
    });
  }

  /** @throws AppError `forbidden`, `not-found` for a project, `invalid-input`, `conflict` for too many */
  create(caller: Caller, level: RuleLevel, project: string | null, input: RecallRuleInput): Promise<RecallRule> {
    const draft = parseRule(input);
    return this.doors.asTenant(caller, async (tx) => {
      const at = await this.levelOf(tx, caller, level, project);
      const there = (await listRecallRules(tx, caller.tenantId, at.projectId)).filter(
        ({ projectId, userId }) => projectId === at.projectId && userId === at.userId,
      );
      if (there.length >= MAX_RULES) {
        throw new AppError('conflict', 'too-many-rules', `There are ${MAX_RULES} rules of this level already.`);
      }
      const rule = { id: randomUUID(), ...at, ...draft };
      await insertRecallRule(tx, caller.tenantId, rule, { by: caller.userId, at: this.clock.now() });
      await this.record(tx, 'recall-rule.created', rule);
      return toRule(rule);
    });
  }

  /** Puts another rule in the place of one. @throws AppError `not-found` also where the caller may not see it */
  update(caller: Caller, id: string, input: RecallRuleInput): Promise<RecallRule> {
    const draft: RuleDraft = parseRule(input);
    return this.doors.asTenant(caller, async (tx) => {
      const { projectId, userId, ...known } = await this.requireOwn(tx, caller, id);
      const rule = { id: known.id, projectId, userId, ...draft };
      await updateRecallRule(tx, caller.tenantId, rule, this.clock.now());
      await this.record(tx, 'recall-rule.changed', rule);
      return toRule(rule);
    });
  }

  /** @throws AppError `not-found`, `forbidden` */
  remove(caller: Caller, id: string): Promise<RecallRule> {
    return this.doors.asTenant(caller, async (tx) => {
      const rule = await this.requireOwn(tx, caller, id);
      await deleteRecallRule(tx, caller.tenantId, rule.id);
      await this.record(tx, 'recall-rule.removed', rule);
      return toRule(rule);
    });
  }

  private async levelOf(tx: Tx, caller: Caller, level: RuleLevel, slug: string | null): Promise<Level> {
    if ((level === 'project') !== (slug !== null)) {
      throw new AppError('invalid-input', 'rule-level', '`project` is named for the level PROJECT, and only then.');
    }
    if (level === 'user') return { projectId: null, userId: caller.userId };
    if (slug !== null) {
      const project = await requireProject(tx, caller.tenantId, slug);
      await requireMaintainer(tx, caller, project);
      return { projectId: project.id, userId: null };
    }
    if (level === 'shipped') throw new AppError('invalid-input', 'rule-level', 'Shipped rules are always there.');
    await requireAdmin(tx);
    return { projectId: null, userId: null };
  }

  /** A rule that the caller may change. */
  private async requireOwn(tx: Tx, caller: Caller, id: string): Promise<RecallRuleRecord> {
    const ruleId = parseUuid(id);
    const rule = ruleId === null ? null : await findRecallRule(tx, caller.tenantId, ruleId);
    if (rule === null) throw noSuchRule();
    if (rule.projectId !== null) {
      const [project] = await findProjects(tx, caller.tenantId, [rule.projectId]);
      if (project === undefined) throw noSuchProject();
      await requireMaintainer(tx, caller, project);
    } else if (rule.userId === null) {
      await requireAdmin(tx);
    }
    return rule;
  }

  /** What people want for themselves is nobody's to audit. */
  private async record(tx: Tx, action: string, { id, projectId, userId, effect }: RecallRuleRecord): Promise<void> {
    if (userId !== null) return;
    const details = { effect, project: projectId };
    await appendAudit(tx, { action, subjectKind: 'recall-rule', subjectId: id, details });
  }
}

const toRule = (rule: RecallRuleRecord): RecallRule => ({
  ...asShown(rule),
  id: rule.id,
  level: rule.userId !== null ? 'user' : rule.projectId !== null ? 'project' : 'tenant',
  position: rule.position,
  enabled: rule.enabled,
});

const toShipped = (rule: CoreRule, position: number): RecallRule => ({
  ...asShown(rule),
  id: null,
  level: 'shipped',
  position,
  enabled: true,
});

const asShown = ({
  name,
  conditions,
  effect,
  factor,
  maxItems,
}: CoreRule): Omit<RecallRule, 'id' | 'level' | 'position' | 'enabled'> => {
  const { kinds, tags, scopes, authors, files, pinned, minAgeDays, maxAgeDays } = conditions;
  return {
    name,
    effect,
    factor: factor ?? null,
    maxItems: maxItems ?? null,
    conditions: {
      kinds: kinds === undefined ? null : [...kinds],
      tags: tags === undefined ? null : [...tags],
      scopes: scopes === undefined ? null : [...scopes],
      authors: authors === undefined ? null : [...authors],
      files: files === undefined ? null : [...files],
      pinned: pinned ?? null,
      minAgeDays: minAgeDays ?? null,
      maxAgeDays: maxAgeDays ?? null,
    },
  };
};
