import { AppError, makeEnvelope, neutralise, neutraliseLine, type AnswerPart } from '@tempera/client-kit';
import { z } from 'zod';
import { APPROVE_PROPOSAL, DECLINE_PROPOSAL, PROPOSALS, WITHDRAW_PROPOSAL } from '../graphql/sharing-operations.js';
import { minuteText } from '../output/table.js';
import { audienceText, placeShape } from './audience.js';
import { type AddCommand, given, wordOption } from './command.js';
import { PROPOSALS as PENDING } from './known-id.js';
import { LIMIT_OPTION, named, showDone } from './lists.js';
import { fetchList, readLimit } from './pages.js';
import { addNoun, type Call, type Verbs } from './verb.js';

const person = z.object({ displayName: z.string() });
const proposalShape = z.object({
  id: z.string(),
  memoryId: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  revision: z.number(),
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
  proposer: person,
  decidedBy: person.nullable(),
  to: placeShape,
  content: z
    .object({
      title: z.string(),
      text: z.string(),
      tags: z.array(z.string()),
      filesModified: z.array(z.string()),
      errorsResolved: z.array(z.object({ error: z.string(), resolution: z.string().nullable() })),
      alternatives: z.array(z.object({ approach: z.string(), whyNot: z.string(), revisitIf: z.string().nullable() })),
    })
    .nullable(),
});
type Proposal = z.output<typeof proposalShape>;

/** Nobody decided it, and nobody will. */
const STALE =
  'Nobody decides it any more: the memory changed, moved or was put away since, or its owner left. Share it again to propose what it says now.';

/** All that would be shared: whoever decides sees nothing less. */
const contentText = ({ content, state }: Proposal): string => {
  if (content === null) return state === 'STALE' ? STALE : 'Decided: its text is no longer kept here.';
  const { title, text, tags, filesModified, errorsResolved, alternatives } = content;
  return [
    title,
    text,
    ...(tags.length === 0 ? [] : [`Tags: ${tags.join(', ')}`]),
    ...(filesModified.length === 0 ? [] : [`Files: ${filesModified.join(', ')}`]),
    ...errorsResolved.map(({ error, resolution }) => `Error: ${error} => ${resolution ?? '(unresolved)'}`),
    ...alternatives.map(({ approach, whyNot }) => `Rejected: ${approach} because ${whyNot}`),
  ].join('\n');
};

const headingOf = (proposal: Proposal): string => {
  const { id, state, to, createdAt, decidedBy, reason } = proposal;
  const decided = decidedBy === null ? '' : ` by ${named(decidedBy.displayName)}`;
  const why = reason === null ? '' : `: ${neutraliseLine(reason, 200)}`;
  return `${id} · to ${audienceText(to)} · ${minuteText(createdAt) ?? ''} · ${state.toLowerCase()}${decided}${why}`;
};

/** Proposed text is anyone's: behind a pipe it stands in an envelope, like every recalled memory. */
const partsOf = (proposals: readonly Proposal[], randomHex: () => string): AnswerPart[] => {
  const texts = proposals.map(contentText);
  const envelope = makeEnvelope(randomHex, texts);
  return proposals.map((proposal, index) => {
    const label = { id: proposal.memoryId.slice(0, 8), author: proposal.proposer.displayName };
    const text = texts[index] ?? '';
    return {
      type: 'memory',
      heading: headingOf(proposal),
      label,
      text: neutralise(text),
      wrapped: envelope.wrap(label, text),
    };
  });
};

const STATES = ['pending', 'approved', 'declined', 'stale', 'withdrawn'];

/** What waited and went stale is in no list of what waits: its owner is told once more where it is. */
const staleNote = async (call: Call): Promise<AnswerPart[]> => {
  const { asker, options } = call;
  if (options['all'] === true || options['state'] !== undefined) return [];
  const filter = given({ state: 'STALE', project: options['project'], mine: true });
  const listing = { query: PROPOSALS, field: 'proposals', node: proposalShape };
  const { nodes } = await fetchList(asker, listing, { filter }, STALE_SHOWN);
  if (nodes.length === 0) return [];
  const within = options['project'] === undefined ? '' : ` --project ${named(String(options['project']))}`;
  const many = nodes.length === STALE_SHOWN ? `${STALE_SHOWN} or more` : String(nodes.length);
  return [
    {
      type: 'text',
      text: `Stale, so that nobody decides them: ${many} of yours: \`tempera proposals list --state stale --mine${within}\``,
    },
  ];
};
const STALE_SHOWN = 10;

const list = async (call: Call): Promise<void> => {
  const { asker, terminal, options, world } = call;
  const state = options['all'] === true ? undefined : wordOption('--state', options['state'] ?? 'pending', STATES);
  const filter = given({ state, project: options['project'], mine: options['mine'] });
  const listing = { query: PROPOSALS, field: 'proposals', node: proposalShape };
  const { nodes, hasMore } = await fetchList(asker, listing, { filter }, readLimit(options['limit']));
  const none = { type: 'text', text: 'No proposals.' } as const;
  const more = hasMore ? [{ type: 'text', text: 'There are more: say --limit N.' } as const] : [];
  const shown = nodes.length === 0 ? [none] : [...partsOf(nodes, () => world.randomHex()), ...more];
  const parts = [...shown, ...(await staleNote(call))];
  terminal.answer({ parts, structured: { nodes, hasMore } });
};

const decide = async (call: Call, query: string, field: string, variables: object, done: string): Promise<void> => {
  const proposal = await call.asker.ask(query, { id: call.args[0], ...variables }, field, proposalShape, false);
  const told = `the proposal of ${named(proposal.proposer.displayName)} to ${audienceText(proposal.to)}.`;
  showDone(call, done, told, proposal);
};

const VERBS: Verbs = {
  list: {
    summary: 'list what waits for a decision: yours, and those that you decide',
    options: [
      ['--state <state>', `${STATES.join(', ')} (default pending)`],
      ['--all', 'in every state'],
      ['--mine', 'only your own'],
      ['--project <slug>', 'only to this project, or to a group through it'],
      LIMIT_OPTION,
    ],
    examples: ['proposals list', 'proposals list --state declined --mine'],
    run: list,
  },
  approve: {
    args: '<id>',
    ids: { 0: PENDING },
    summary: 'share the proposed memory',
    question: ([id]) => `Share what proposal ${named(id ?? '')} shows?`,
    examples: ['proposals approve 0192f0c4-0000-4000-8000-000000000001'],
    run: (call) => decide(call, APPROVE_PROPOSAL, 'approveProposal', {}, 'Approved'),
  },
  decline: {
    args: '<id>',
    ids: { 0: PENDING },
    summary: 'leave the proposed memory where it is, with a reason for its owner',
    options: [['--reason <text>', 'why (needed)']],
    examples: ['proposals decline 0192f0c4-0000-4000-8000-000000000001 --reason "Holds a customer\'s name"'],
    run: (call) => {
      const reason = call.options['reason'];
      if (reason === undefined)
        throw new AppError('invalid-input', 'no-reason', 'Its owner needs a reason: --reason TEXT.');
      return decide(call, DECLINE_PROPOSAL, 'declineProposal', { reason }, 'Declined');
    },
  },
  withdraw: {
    args: '<id>',
    ids: { 0: PENDING },
    summary: 'take a proposal of yours back',
    examples: ['proposals withdraw 0192f0c4-0000-4000-8000-000000000001'],
    run: (call) => decide(call, WITHDRAW_PROPOSAL, 'withdrawProposal', {}, 'Withdrew'),
  },
};

/** `tempera proposals` */
export const addProposals: AddCommand = (program, world) => {
  const summary = 'memories that wait for a decision to be shared';
  addNoun(program, world, { name: 'proposals', summary, sender: 'person', verbs: VERBS, defaultVerb: 'list' });
};
