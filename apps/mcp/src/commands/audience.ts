import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { given } from './command.js';
import { named } from './lists.js';
import type { Call } from './verb.js';

const slug = z.object({ slug: z.string() }).nullable();

/** Who sees a memory. */
export const placeShape = z.object({ scope: z.string(), project: slug, group: slug });

/** A memory with who sees it. */
export const placedShape = placeShape.extend({ id: z.string(), title: z.string() });

/** Who sees it, in words. */
export const audienceText = ({ scope, project, group }: z.output<typeof placeShape>): string => {
  if (scope === 'PRIVATE') return 'its owner alone';
  if (scope === 'GROUP') return `group ${named(group?.slug ?? '?')}`;
  return scope === 'PROJECT' ? `project ${named(project?.slug ?? '?')}` : 'the whole tenant';
};

/** `--project [slug]` is true without a slug. */
const slugOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads `--tenant`, `--group` and `--project` as an audience. @param fallback the scope when none of them is given */
export const readAudience = ({ args, options }: Call, fallback: string | null): Record<string, unknown> => {
  const { tenant, group, project } = options;
  if (tenant === true && (group !== undefined || project !== undefined)) {
    throw new AppError('invalid-input', 'two-audiences', 'Give one of --project, --group and --tenant.');
  }
  const scope =
    tenant === true ? 'TENANT' : group !== undefined ? 'GROUP' : project !== undefined ? 'PROJECT' : fallback;
  if (scope === null) {
    throw new AppError('invalid-input', 'no-audience', 'Say who is to see it: --project, --group or --tenant.');
  }
  return given({ memoryId: args[0], scope, project: slugOf(project), group: slugOf(group) });
};
