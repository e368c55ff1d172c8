import { AppError, neutraliseLine, normaliseRemote } from '@tempera/client-kit';
import { z } from 'zod';
import { PROJECTS } from '../graphql/operations.js';
import type { ServiceClient } from '../graphql/service-client.js';

const PAGE_SIZE = 100;
const MAX_PAGES = 20;

const projectShape = z.object({
  slug: z.string(),
  name: z.string(),
  remotes: z.array(z.string()),
  myRole: z.string().nullable(),
});
const pageShape = z.object({
  nodes: z.array(projectShape),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
});

/** A project that the caller is in, or administers. */
export type KnownProject = z.output<typeof projectShape>;

/** All projects of the caller, up to 2,000. */
export const fetchProjects = async (client: ServiceClient): Promise<KnownProject[]> => {
  const projects: KnownProject[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer: z.output<typeof pageShape> = await client.ask(
      PROJECTS,
      { first: PAGE_SIZE, after },
      'projects',
      pageShape,
      true,
    );
    projects.push(...answer.nodes);
    after = answer.pageInfo.endCursor;
    if (!answer.pageInfo.hasNextPage || after === null) break;
  }
  return projects;
};

/** Those with a remote of the folder; the folder's first remote that matches decides. */
export const projectsOfRemotes = (projects: readonly KnownProject[], remotes: readonly string[]): KnownProject[] => {
  for (const remote of remotes) {
    const matches = projects.filter((project) =>
      project.remotes.some((own) => own === remote || normaliseRemote(own) === remote),
    );
    if (matches.length > 0) return matches;
  }
  return [];
};

/** Says which there are, and how one is made. */
export const noSuchProject = (slug: string, projects: readonly Pick<KnownProject, 'slug'>[]): AppError => {
  const yours = neutraliseLine(projects.map((project) => project.slug).join(', '), 400);
  const known = yours === '' ? 'You are in no project yet.' : `Yours are: ${yours}.`;
  const fix = `${known} An admin creates one with \`tempera project create SLUG\`, or by \`tempera init\` in its repository.`;
  const message = `There is no project ${neutraliseLine(slug, 100)} that you are in.`;
  return new AppError('not-found', 'no-such-project', message, { details: { fix } });
};
