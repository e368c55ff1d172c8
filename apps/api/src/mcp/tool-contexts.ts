import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type CatalogueTool,
  type GraphqlAsker,
  GraphqlBackend,
  OWN_PROJECTS,
  type ToolContext,
} from '@tempera/client-kit';
import { z } from 'zod';
import { ContextFactory } from '../graphql/context-factory.js';
import { type Clock, CLOCK } from '../platform/platform.tokens.js';
import { InProcessAsker } from './in-process-asker.js';
import type { Visit } from './visit.js';

/** Well within the time of a request. */
const LONGEST_WAIT_SECONDS = 6;
const PROJECTS_ASKED = 50;
const PROJECTS_TOLD = 20;

const projectsShape = z.object({ nodes: z.array(z.object({ slug: z.string() })) });
const asked = z.looseObject({ project: z.string().optional(), scope: z.string().optional() }).catch({});

/** What is captured for a project goes to the one meant, or nowhere. */
const isForProject = ({ name }: CatalogueTool, scope: string | undefined): boolean =>
  name === 'tempera_capture' && (scope === undefined || scope === 'project');

const whichProject = (slugs: readonly string[]): AppError => {
  const told = slugs.slice(0, PROJECTS_TOLD).join(', ');
  const message = `Say with project which one it is for: ${told}${slugs.length > PROJECTS_TOLD ? ', …' : ''}.`;
  return new AppError('invalid-input', 'project-needed', message, {
    details: { fix: 'Call again with project, or with scope private.' },
  });
};

/** Makes what a call of a tool may use here: the same as at a client, asked of this process. */
@Injectable()
export class ToolContexts {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly contexts: ContextFactory,
    private readonly asker: InProcessAsker,
  ) {}

  /** @throws AppError `invalid-input` where it stays open for which project a capture is */
  async of(visit: Visit, tool: CatalogueTool, args: unknown): Promise<ToolContext> {
    const { request, caller } = visit;
    const asker = this.asker.as(() => this.contexts.of(request, { caller }));
    return {
      backend: new GraphqlBackend(asker),
      boundProject: visit.project ?? (await this.onlyProject(asker, tool, args)),
      sessionKey: null,
      source: 'MCP',
      longestWait: LONGEST_WAIT_SECONDS,
      now: () => this.clock.now(),
      wait: (ms) => sleep(ms),
      newId: randomUUID,
      randomHex: () => randomBytes(8).toString('hex'),
    };
  }

  /** No folder says here which project is meant: it is the caller's only one, or the call names it. */
  private async onlyProject(asker: GraphqlAsker, tool: CatalogueTool, args: unknown): Promise<string | null> {
    const { project, scope } = asked.parse(args ?? {});
    if (project !== undefined || !('project' in tool.inputSchema.shape)) return null;
    const { nodes } = await asker.ask(OWN_PROJECTS, { first: PROJECTS_ASKED }, 'projects', projectsShape, true);
    const slugs = nodes.map(({ slug }) => slug);
    if (slugs.length > 1 && isForProject(tool, scope)) throw whichProject(slugs);
    return slugs.length === 1 ? (slugs[0] ?? null) : null;
  }
}
