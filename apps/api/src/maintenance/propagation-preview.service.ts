import { Inject, Injectable } from '@nestjs/common';
import { assess } from '@tempera/core';
import {
  addReports,
  type Doors,
  type GraphReader,
  lendingSettings,
  linksAt,
  loanHolders,
  matesSeen,
  readSettings,
  nodesSeen,
  type SeenNode,
  type SnapshotNode,
  sourcesSeen,
  tenantDate,
  workOutLending,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireProject } from '../projects/require-project.js';
import type { PropagationPreview } from './maintenance.types.js';

/**
 * What a run would lend, worked out by the night's own rule over what the caller sees, and written nowhere: for those who
 * may look at a project's lending and not start it.
 */
@Injectable()
export class PropagationPreviewService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError `not-found` for a project that is not there for the caller */
  preview(caller: Caller, slug: string | null): Promise<PropagationPreview> {
    return this.doors.asTenant(caller, async (tx) => {
      const { tenantId } = caller;
      const project = slug === null ? null : await requireProject(tx, tenantId, slug);
      const settings = await readSettings(tx, tenantId, null);
      const today = await tenantDate(tx, tenantId, this.clock.now());
      const seen = { tenantId, projectId: project?.id ?? null, today };
      const lending = lendingSettings(settings);
      const met = new Map<string, SnapshotNode>();
      const nodesOf = (rows: readonly SeenNode[]): SnapshotNode[] =>
        rows.map((row) => {
          const node = toSnapshotNode(row, settings.bellman.decayRate);
          met.set(node.id, node);
          return node;
        });
      const reader: GraphReader = {
        sources: async () => nodesOf(await sourcesSeen(tx, seen, lending.sourceThreshold)),
        nodes: async (ids) => nodesOf(await nodesSeen(tx, seen, ids)),
        links: (ids) => linksAt(tx, tenantId, ids),
        members: (sessionIds) => matesSeen(tx, seen, sessionIds),
      };
      const worked = await workOutLending(reader, lending);
      nodesOf(await loanHolders(tx, seen));
      const changes = [...met.values()].map((node) => worked.changeOf(node, worked.to(node)));
      const { sources, hops, touched, residual, converged } = addReports([
        {
          sources: [...met.values()].filter((node) => worked.isSource(node)).length,
          hops: worked.hops,
          touched: changes.filter((change) => change > 0).length,
          residual: Math.max(0, ...changes),
        },
      ]);
      return { sources, hops, touched, residual, converged };
    });
  }
}

/** As the night's snapshot has it: what a memory has earned by today, faded. */
const toSnapshotNode = ({ standing, ...place }: SeenNode, noneRate: number): SnapshotNode => {
  const { evidence, earned } = assess({
    ...standing,
    votes: { helpful: standing.helpful, unhelpful: standing.unhelpful },
    noneRate,
  });
  return { ...place, evidence, earned, propagated: standing.propagated };
};
