/** A memory of the first run, as GraphQL's CaptureInput takes it. */
export interface SeedMemory {
  readonly key: string;
  readonly kind: 'DECISION' | 'BACKGROUND' | 'EPISODE';
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly taskType?: string;
  readonly outcome?: string;
  readonly alternatives?: readonly { approach: string; whyNot: string; revisitIf?: string }[];
  readonly errorsResolved?: readonly { error: string; resolution: string }[];
}

/** What the first run asks, to show an answer from what it captured. */
export const SEED_QUESTION = 'How do I connect Claude Code to the memory of my team?';

/** True and useful things about this very product: they answer the first questions of whoever tries it. */
export const seedMemories = (cli: string): readonly SeedMemory[] => [
  {
    key: 'connect',
    kind: 'BACKGROUND',
    title: 'Connecting Claude Code (or any MCP client) to the team memory',
    text: `Log in once on the machine, bind the repository to a project, then add the server to Claude Code:
1. \`node ${cli} login\` and paste a one-time code (an admin makes one with \`invite NAME\`, you yourself with \`login-code\` where you are logged in).
2. In the repository: \`node ${cli} init\`. It proposes the project from the git remote, or to create one.
3. \`claude mcp add --transport stdio tempera -- node ${cli} serve\`.
Other MCP clients start the same command: \`node ${cli} serve\` speaks MCP on standard input and output.`,
    tags: ['setup', 'mcp', 'claude-code'],
  },
  {
    key: 'what-to-capture',
    kind: 'BACKGROUND',
    title: 'What is worth capturing, and what is not',
    text: `Capture what a colleague would otherwise find out again: a decision with its reason and what was rejected, an error
with what resolved it, how to build, test and release, a convention that no linter checks. Leave out what the code says by
itself, and secrets. One thing a memory; a first line that can stand alone; name files and exact error texts, because they
are found by those words.`,
    tags: ['usage'],
  },
  {
    key: 'scopes',
    kind: 'BACKGROUND',
    title: 'Who sees a memory: private, project, tenant',
    text: `A private memory is seen by its author alone; admins and operators do not see it either. A project's memories are seen
by the members of that project, the tenant's by everyone in it. A reader of a project searches and votes but does not capture into
it. Whoever leaves a project stops seeing its memories with the next request.`,
    tags: ['usage', 'privacy'],
  },
  {
    key: 'votes',
    kind: 'DECISION',
    title: 'A memory rises by votes that say it helped, not by being read',
    text: `After an answer was used, say which memories helped (tempera_feedback, or \`tempera feedback helpful\`). Evidence is
(H + 1) / (H + U + 2) over the people who voted, at most three votes' weight each, half for one's own shared memories. A vote
also remembers the question it was given for, so a memory rises most for questions like that one.`,
    tags: ['ranking', 'feedback'],
    alternatives: [
      {
        approach: "The lower bound of Wilson's interval",
        whyNot: 'It ranks a memory nobody voted on below one that half the voters found useless.',
        revisitIf: 'memories collect hundreds of votes each',
      },
      {
        approach: 'Counting retrievals as use',
        whyNot: 'What is shown often would be shown more often, helpful or not.',
      },
    ],
  },
  {
    key: 'row-security',
    kind: 'DECISION',
    title: 'Postgres itself keeps tenants and people apart, by forced row-level security',
    text: `Every table with user data carries its tenant, every key starts with it, and row-level security is enabled and forced.
The API logs in as a role that owns nothing, sets tenant and user as the first statement of each transaction, and refuses to
start as a superuser. So a forgotten filter finds nothing instead of a stranger's memories.`,
    tags: ['security', 'postgres'],
    alternatives: [
      {
        approach: 'A tenant filter in every query',
        whyNot: 'One forgotten filter shows foreign rows, and no test finds it for sure.',
      },
      {
        approach: 'A database for each tenant',
        whyNot: 'Migrations, pools and backups multiply by a thousand tenants.',
        revisitIf: 'a tenant must be kept in a country of its own',
      },
    ],
  },
  {
    key: 'port-taken',
    kind: 'EPISODE',
    title: 'npm start ended because port 4747 was taken',
    text: `A second checkout already ran its service on the default port. With another port and another data folder both run side
by side: \`API_PORT=4748 TEMPERA_DATA_DIR=.tempera-2 npm start\`. Clients then log in with \`--server http://127.0.0.1:4748\`.`,
    tags: ['setup', 'npm-start'],
    taskType: 'SETUP',
    outcome: 'SUCCESS',
    errorsResolved: [
      {
        error: 'Port 4747 is taken; set API_PORT to another.',
        resolution: 'API_PORT=4748 TEMPERA_DATA_DIR=.tempera-2 npm start',
      },
    ],
  },
  {
    key: 'nightly',
    kind: 'BACKGROUND',
    title: 'What happens at night: credit, snapshot, propagation',
    text: `Each tenant has a schedule in Temporal. A run gives credit to the episodes that led to a success, takes a snapshot of
what each memory earned, and lends part of it to similar memories that nobody has voted on yet. An admin starts a run at once
with the mutation runMaintenance; running it twice on a day changes nothing. Captures and answers work while Temporal is down.`,
    tags: ['maintenance', 'temporal'],
  },
  {
    key: 'chinese',
    kind: 'DECISION',
    title: '中文内容使用中文编码器',
    text: `记忆和问题按语言选择编码器：英文用 bge-small-en-v1.5，中文用 bge-small-zh-v1.5，中英混合的文本两个都用。
原因：用英文编码器检索中文改写问题时，前五命中率只有 0.46，中文编码器则达到 0.99。关键词检索也支持中文分词和两个字的短查询。`,
    tags: ['search', '检索'],
    alternatives: [
      {
        approach: '所有语言共用一个英文编码器',
        whyNot: '中文改写问题的前五命中率只有 0.46。',
        revisitIf: '出现同样小而两种语言都好的编码器',
      },
    ],
  },
];
