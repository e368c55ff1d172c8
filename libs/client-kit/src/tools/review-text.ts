import { makeEnvelope } from '../envelope.js';
import type { CleanupAnswer, ClusterView, ConsolidateAnswer, JudgedView, ReviewAnswer } from '../review-view.js';
import { neutralise, neutraliseLine } from '../untrusted-text.js';
import { shortId } from './arguments.js';
import { percent } from './memory-text.js';
import type { AnswerPart, ToolContext } from './tool.js';

/** A list of memories under a line of ours; titles are stored text. */
export interface Section {
  readonly name: string;
  readonly heading: string;
  readonly lines: readonly string[];
}

/** `18 %, unused 45 days: a1b2c3d4 Title`. */
const judgedLine = ({ memory, utility, daysUnused, reasons }: JudgedView): string => {
  const why = reasons.length === 0 ? '' : ` (${reasons.map((reason) => reason.toLowerCase()).join(', ')})`;
  return `${shortId(memory.id)}${why} ${percent(utility)} useful, unused ${Math.floor(daysUnused)} days: ${neutraliseLine(memory.title, 120)}`;
};

/** `a1b2c3d4 Title ← b2c3d4e5, c3d4e5f6`. */
const clusterLine = ({ survivor, merged, similarity }: ClusterView): string =>
  `${shortId(survivor.id)} ← ${merged.map(({ id }) => shortId(id)).join(', ')} (${percent(similarity)} alike): ${neutraliseLine(survivor.title, 120)}`;

/** Sections as parts of an answer; those without lines are left out. */
export const sectionParts = (sections: readonly Section[], context: Pick<ToolContext, 'randomHex'>): AnswerPart[] => {
  const shown = sections.filter(({ lines }) => lines.length > 0);
  const texts = shown.map(({ lines }) => lines.join('\n'));
  const envelope = makeEnvelope(() => context.randomHex(), texts);
  return shown.map(({ name, heading, lines }) => {
    const text = lines.join('\n');
    const label = { id: name };
    return { type: 'memory', heading, label, text: neutralise(text), wrapped: envelope.wrap(label, text) };
  });
};

type LookedAt = Pick<ReviewAnswer, 'analysed' | 'total' | 'complete'>;

/** Whose memories were looked at. */
export const upkeepPlace = (project: string | null): string =>
  project === null ? 'Your private memories' : `Project ${neutraliseLine(project, 100)}`;

/** How far the service came. */
export const lookedText = ({ analysed, total, complete }: LookedAt): string =>
  complete
    ? `Looked at all ${total} memories.`
    : `Looked at ${analysed} of ${total} memories; there was no time for the rest.`;

const more = (shown: number, count: number): string => (count > shown ? `, ${shown} shown` : '');

/** What a review found. */
export const reviewSections = (found: ReviewAnswer): Section[] => [
  {
    name: 'stale',
    heading: `Stale (${found.staleCount}${more(found.stale.length, found.staleCount)}): long unused and worth little`,
    lines: found.stale.map(judgedLine),
  },
  {
    name: 'prunable',
    heading: `Cleanup would archive ${found.prunableCount}${more(found.prunable.length, found.prunableCount)}:`,
    lines: found.prunable.map(judgedLine),
  },
  {
    name: 'clusters',
    heading: `Consolidate would merge ${found.clusterCount}${more(found.clusters.length, found.clusterCount)} (what stays ← what goes into it):`,
    lines: found.clusters.map(clusterLine),
  },
  {
    name: 'proposals',
    heading: `The same of several people, for a maintainer to merge (${found.proposalCount}):`,
    lines: found.proposals.map(clusterLine),
  },
];

/** What a consolidation merged, or would. */
export const mergedSection = (clusters: readonly ClusterView[]): Section => ({
  name: 'clusters',
  heading: 'What stays ← what goes into it:',
  lines: clusters.map(clusterLine),
});

/** What a cleanup archived, or would. */
export const prunedSection = (memories: readonly JudgedView[]): Section => ({
  name: 'prunable',
  heading: 'Which, and why:',
  lines: memories.map(judgedLine),
});

/** What a consolidation or a cleanup did, or would do. */
export const actedHeading = (
  what: string,
  count: number,
  { runId, remaining }: Pick<ConsolidateAnswer | CleanupAnswer, 'runId' | 'remaining'>,
): string => {
  if (runId !== null) return `${what} ${count}${remaining > 0 ? `; ${remaining} are left for the next call` : ''}.`;
  return remaining === 0
    ? 'There is nothing to do.'
    : `Nothing was changed. ${remaining} would be${more(count, remaining)}.`;
};
