import { z } from 'zod';
import { AppError, isAppError } from '../app-error.js';
import { makeEnvelope, withoutRecalled } from '../envelope.js';
import type { CaptureRequest } from '../memory-backend.js';
import type { CaptureAnswer } from '../memory-view.js';
import { removedLine } from '../redaction/removed.js';
import { neutralise, neutraliseLine } from '../untrusted-text.js';
import { isVisible } from '../visible-text.js';
import {
  contractWord,
  groupArgument,
  kindArgument,
  outcomeArgument,
  projectArgument,
  readMoment,
  scopeArgument,
  shortId,
  taskTypeArgument,
  textList,
  validityArgument,
  verificationArgument,
} from './arguments.js';
import { percent, placeText } from './memory-text.js';
import { type AnswerPart, textPart, type Tool, type ToolAnswer, type ToolContext } from './tool.js';
import { type Wording, wordingOf } from './wording.js';

const MAX_TEXT_BYTES = 64 * 1024;
const line = z.string();

const inputSchema = z.strictObject({
  summary: z.string().describe('for a colleague without this context; up to 64 KiB'),
  title: z.string().optional(),
  kind: kindArgument.optional().describe('default episode (work); the others are facts'),
  task_type: taskTypeArgument.optional(),
  outcome: outcomeArgument.optional(),
  files_modified: textList.optional(),
  tags: textList.optional(),
  errors_resolved: z.array(z.strictObject({ error: line, resolution: line.optional() })).optional(),
  alternatives: z
    .array(z.strictObject({ approach: line, why_not: line, revisit_if: line.optional() }))
    .optional()
    .describe('rejected'),
  validity: validityArgument.optional().describe('what it holds for'),
  verification: verificationArgument.optional(),
  expires: z.string().optional().describe('ISO 8601'),
  pin: z.boolean().optional(),
  supersedes: z.string().optional().describe('id it replaces'),
  scope: scopeArgument.optional().describe('default project, if bound'),
  group: groupArgument.optional(),
  session_id: z.string().optional(),
  prompt_id: z.string().optional().describe('captures of one prompt are one memory'),
  project: projectArgument.optional(),
});
type Arguments = z.output<typeof inputSchema>;

const checkScope = (args: Arguments, project: string | null, { unbound, orProject }: Wording): void => {
  const needsProject = args.scope === 'project' || args.scope === 'group';
  if (!needsProject || project !== null) return;
  throw new AppError('invalid-input', 'no-project', `Scope ${args.scope} needs a project. ${unbound} ${orProject}`);
};

const textOf = (args: Arguments, wording: Wording): { text: string; removed: number } => {
  const summary = wording.argument('summary');
  const { text, removed } = withoutRecalled(args.summary);
  if (!isVisible(text)) {
    const what = removed > 0 ? 'holds nothing but recalled memories' : 'is empty';
    throw new AppError('invalid-input', 'empty-text', `${summary} ${what}: say what was learned.`);
  }
  if (new TextEncoder().encode(text).length > MAX_TEXT_BYTES) {
    throw new AppError(
      'invalid-input',
      'text-too-long',
      `${summary} is longer than 64 KiB: capture the essence, or several memories.`,
    );
  }
  return { text, removed };
};

const defined = <Value extends object>(value: { [Key in keyof Value]: Value[Key] | undefined }): Value =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Value;

const requestOf = (args: Arguments, text: string, context: ToolContext): CaptureRequest => {
  const project = args.project ?? context.boundProject;
  const wording = wordingOf(context);
  checkScope(args, project, wording);
  return defined<CaptureRequest>({
    text,
    title: args.title,
    kind: contractWord(args.kind ?? 'episode'),
    // Without a wish the service decides by the caller's role: with the project, or private for its readers.
    scope: args.scope === undefined ? undefined : contractWord(args.scope),
    project: project ?? undefined,
    group: args.group,
    taskType: args.task_type === undefined ? undefined : contractWord(args.task_type),
    outcome: args.outcome === undefined ? undefined : contractWord(args.outcome),
    tags: args.tags ?? [],
    filesModified: args.files_modified ?? [],
    errorsResolved: (args.errors_resolved ?? []).map(({ error, resolution }) => defined({ error, resolution })),
    alternatives: (args.alternatives ?? []).map((alternative) =>
      defined({ approach: alternative.approach, whyNot: alternative.why_not, revisitIf: alternative.revisit_if }),
    ),
    validity: args.validity === undefined ? undefined : contractWord(args.validity),
    verification: args.verification === undefined ? undefined : contractWord(args.verification),
    pinned: args.pin,
    supersedes: args.supersedes,
    expiresAt: args.expires === undefined ? undefined : readMoment(wording.argument('expires'), args.expires),
    sessionKey: args.session_id ?? context.sessionKey ?? undefined,
    promptKey: args.prompt_id,
    source: context.source,
    idempotencyKey: context.newId(),
  });
};

type Near = CaptureAnswer['near'][number];

/** What was found to be false is told with why, in the place of what differs. */
const isRefuted = ({ differences }: Near): boolean =>
  differences.some((difference) => difference.startsWith('refuted: '));

const nearText = (near: Near): string => {
  const said = near.differences.join('; ');
  if (said === '') return near.memory.title;
  return `${near.memory.title}\n${isRefuted(near) ? said : `Differs in: ${said}`}`;
};

const wordFor = (near: Near, { conflicts, superseded }: CaptureAnswer): string => {
  if (superseded.includes(near)) return 'Takes the place of';
  if (conflicts.includes(near)) return 'In conflict with';
  return isRefuted(near) ? 'Near what was found to be false,' : 'Near';
};

const nearParts = (answer: CaptureAnswer, context: ToolContext): AnswerPart[] => {
  const all = [...answer.superseded, ...answer.near, ...answer.conflicts];
  if (all.length === 0) return [];
  const envelope = makeEnvelope(() => context.randomHex(), all.map(nearText));
  return all.map((near) => {
    const label = { id: shortId(near.memory.id) };
    const word = wordFor(near, answer);
    const advice = answer.conflicts.includes(near) ? '; both are kept, a person decides' : '';
    const heading = `${word} ${label.id} (${percent(near.similarity)} similar${advice}):`;
    return {
      type: 'memory',
      heading,
      label,
      text: neutralise(nearText(near)),
      wrapped: envelope.wrap(label, nearText(near)),
    };
  });
};

const STORED: Readonly<Record<string, string>> = {
  CREATED: 'Stored',
  MERGED: 'Merged into your earlier memory, which keeps what it said before:',
  REPEATED: 'Already stored, nothing new to add:',
};

/** Said again, it is as false as before: nobody is to take it for known. */
const refutation = ({ id, kind, stateReason }: CaptureAnswer['memory']): string => {
  const reason = stateReason === null ? '' : ` (${neutraliseLine(stateReason, 200)})`;
  return `Not stored: it was refuted before, as ${kind.toLowerCase()} ${shortId(id)}${reason}. If it holds after all, restore that one.`;
};

const sentence = (answer: CaptureAnswer): string => {
  const { memory } = answer;
  if (memory.state === 'REFUTED') return refutation(memory);
  const where = neutraliseLine(placeText(memory), 100);
  const audience = memory.scope === 'PRIVATE' ? 'only you see it' : `shared: ${where}`;
  const revision = memory.revision > 1 ? `, revision ${memory.revision}` : '';
  const session = answer.sessionId === null ? '' : ` Session ${shortId(answer.sessionId)}.`;
  const pending = memory.embeddingState === 'READY' ? '' : ' Found by keyword until it is embedded.';
  return `${STORED[answer.status] ?? 'Stored'} ${memory.kind.toLowerCase()} ${shortId(memory.id)}${revision} (${audience}).${session}${pending}`;
};

const keptPrivate = (answer: CaptureAnswer, project: string): string =>
  answer.proposal === null
    ? `You only read project ${project}, so it stays private.`
    : `Project ${project} reviews what is shared: a maintainer was asked to let it in (proposal ${shortId(answer.proposal.id)}).`;

const isOver = ({ expiresAt }: CaptureAnswer['memory'], context: ToolContext): boolean =>
  expiresAt !== null && expiresAt <= context.now();

const notesOf = (answer: CaptureAnswer, removed: number, args: Arguments, context: ToolContext): string[] => {
  const wasLeftToService = args.scope === undefined && answer.memory.scope === 'PRIVATE';
  const project = args.project ?? context.boundProject;
  const secrets = removedLine(answer.redacted);
  const kept = project === null ? wordingOf(context).unbound : keptPrivate(answer, neutraliseLine(project, 100));
  return [
    ...(isOver(answer.memory, context) ? ['It has expired already: no answer shows it.'] : []),
    ...(removed > 0 ? [`Left out of the text: ${removed} recalled ${removed === 1 ? 'memory' : 'memories'}.`] : []),
    ...(secrets === null ? [] : [`Secrets: ${secrets}.`]),
    ...(wasLeftToService || answer.proposal !== null ? [kept] : []),
  ];
};

const structuredOf = (answer: CaptureAnswer, removed: number): Record<string, unknown> => {
  const brief = (near: Near): Record<string, unknown> => ({ id: near.memory.id, similarity: near.similarity });
  return {
    status: answer.status.toLowerCase(),
    state: answer.memory.state.toLowerCase(),
    id: answer.memory.id,
    scope: answer.memory.scope.toLowerCase(),
    project: answer.memory.project === null ? null : neutraliseLine(answer.memory.project.slug, 100),
    group: answer.memory.group === null ? null : neutraliseLine(answer.memory.group.slug, 100),
    proposal: answer.proposal?.id ?? null,
    revision: answer.memory.revision,
    sessionId: answer.sessionId,
    embedded: answer.memory.embeddingState === 'READY',
    near: answer.near.map(brief),
    conflicts: answer.conflicts.map(brief),
    superseded: answer.superseded.map(brief),
    recalledLeftOut: removed,
    redacted: answer.redacted,
  };
};

/** `null` where the service is away and the caller's own machine keeps it for it. */
const captureOrQueue = async (request: CaptureRequest, context: ToolContext): Promise<CaptureAnswer | null> => {
  try {
    return await context.backend.capture(request);
  } catch (error) {
    const isAway = isAppError(error) && error.kind === 'unavailable';
    if (!isAway || context.queue === undefined || !(await context.queue(request).catch(() => false))) throw error;
    return null;
  }
};

/** Said again it would be another one, so it is told that nothing is left to do. */
const queued = ({ idempotencyKey }: CaptureRequest): ToolAnswer => ({
  parts: [
    textPart(
      'Queued: the service cannot be reached, so it waits on this machine and goes out by itself. Do not capture it again.',
    ),
  ],
  structured: { status: 'queued', key: idempotencyKey },
});

/** Keeps what was learned. */
export const captureTool: Tool<typeof inputSchema> = {
  name: 'tempera_capture',
  title: 'Capture',
  description:
    'Keeps what was learned, for the team: work done, a decision, a correction, a preference. Say what a colleague needs, with errors and resolutions. Never secrets. A near-duplicate of yours becomes its next revision.',
  inputSchema,
  annotations: { destructiveHint: false, openWorldHint: false },
  alwaysLoad: true,
  async run(args, context) {
    const { text, removed } = textOf(args, wordingOf(context));
    const request = requestOf(args, text, context);
    const answer = await captureOrQueue(request, context);
    if (answer === null) return queued(request);
    const notes = notesOf(answer, removed, args, context);
    return {
      parts: [textPart([sentence(answer), ...notes].join('\n')), ...nearParts(answer, context)],
      structured: structuredOf(answer, removed),
    };
  },
};
