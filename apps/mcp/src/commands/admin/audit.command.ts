import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import { AUDIT_LOG, EXPORT_AUDIT, VERIFY_AUDIT } from '../../graphql/governance-operations.js';
import { type Column, minuteText } from '../../output/table.js';
import { given, momentOption } from '../command.js';
import { LIMIT_OPTION, showList } from '../lists.js';
import type { Asker } from '../pages.js';
import type { Call, Verbs } from '../verb.js';
import { AuditChain, readHead } from './audit-chain.js';
import { tellVerdict, type Verdict, verdictShape } from './chain.js';

const entryShape = z.object({
  seq: z.string(),
  at: z.string(),
  actorKind: z.string(),
  actorId: z.string().nullable(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string().nullable(),
  details: z.string(),
  hash: z.string(),
});

const COLUMNS: readonly Column<z.output<typeof entryShape>>[] = [
  { heading: 'row', cell: ({ seq }) => seq },
  { heading: 'at', cell: ({ at }) => minuteText(at) },
  { heading: 'who', cell: ({ actorKind, actorId }) => `${actorKind} ${actorId ?? ''}` },
  { heading: 'did', cell: ({ action }) => action },
  { heading: 'to', cell: ({ subjectKind, subjectId }) => `${subjectKind} ${subjectId ?? ''}` },
  { heading: 'details', cell: ({ details }) => details },
];

const PAGE_ROWS = 100;
const pageShape = z.object({
  lines: z.array(z.string()),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
});

/** Every line of the audit, oldest first. */
async function* exportedLines(asker: Asker): AsyncGenerator<string> {
  let after: string | null = null;
  do {
    const variables = { first: PAGE_ROWS, after };
    const page: z.output<typeof pageShape> = await asker.ask(EXPORT_AUDIT, variables, 'exportAudit', pageShape, true);
    yield* page.lines;
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
}

const unwritable = (path: string, cause: unknown): AppError => {
  const isThere = cause instanceof Error && Reflect.get(cause, 'code') === 'EEXIST';
  const what = isThere ? 'is there already' : 'cannot be written';
  return new AppError(isThere ? 'conflict' : 'unavailable', 'export-file', `${path} ${what}.`, {
    cause,
    details: { fix: 'Name another file.' },
  });
};

/** Writes the whole export or nothing, for its user alone, and never over a file that is there. */
const writeExport = async (path: string, asker: Asker, unique: string): Promise<AuditChain> => {
  const chain = new AuditChain();
  // Takes the name first, so that nothing that is there is lost, however long the export takes.
  const place = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
  await place.close();
  const draft = `${path}.${unique}.tmp`;
  try {
    const lines = await open(draft, 'wx', 0o600);
    try {
      for await (const line of exportedLines(asker)) {
        chain.add(line);
        await lines.write(`${line}\n`);
      }
      await lines.sync();
    } finally {
      await lines.close();
    }
    await rename(draft, path);
    return chain;
  } catch (error) {
    await Promise.all([rm(draft, { force: true }), rm(path, { force: true })]);
    throw error;
  }
};

const exportFile = async ({ asker, args, terminal, world }: Call): Promise<void> => {
  const path = resolve(world.cwd, args[0] ?? '');
  const chain = await writeExport(path, asker, world.randomHex());
  terminal.note(`Written to ${path}.`);
  tellVerdict(chain.verdict(), terminal);
};

const verifyFile = async (path: string, head: string | null): Promise<Verdict> => {
  const chain = new AuditChain(head === null ? null : readHead(head));
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  try {
    for await (const line of lines) if (line !== '') chain.add(line);
  } catch (cause) {
    const code = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
    if (typeof code !== 'string' || !code.startsWith('E')) throw cause;
    throw new AppError('not-found', 'export-file', `${path} cannot be read.`, {
      cause,
      details: { fix: 'Name an export.' },
    });
  }
  return chain.verdict();
};

const verifyService = async (asker: Asker, head: string | null): Promise<Verdict> => {
  const kept = head === null ? null : readHead(head);
  const variables = given({ head: kept === null ? undefined : { seq: String(kept.seq), hash: kept.hash } });
  let checked = 0;
  let after: string | null = null;
  for (;;) {
    const part: Verdict = await asker.ask(VERIFY_AUDIT, { ...variables, after }, 'verifyAudit', verdictShape, true);
    checked += part.checked;
    if (part.complete || !part.intact || part.endCursor === null) return { ...part, checked };
    after = part.endCursor;
  }
};

/** `tempera admin audit` */
export const AUDIT_VERBS: Verbs = {
  list: {
    summary: 'list what was done in the tenant, newest first',
    options: [
      ['--action <action>', 'such as user.removed'],
      ['--actor <id>', 'by this person'],
      ['--subject <id>', 'to this'],
      ['--from <moment>', 'ISO 8601, this moment and later'],
      ['--to <moment>', 'ISO 8601, before this moment'],
      LIMIT_OPTION,
    ],
    examples: ['audit list --limit 20', 'audit list --action user.invited --from 2026-11-01T00:00:00Z'],
    run: (call) => {
      const { action, actor, subject, from, to } = call.options;
      const range = { from: momentOption('from', from), to: momentOption('to', to) };
      const filter = given({ action, actorId: actor, subjectId: subject, ...range });
      return showList(
        call,
        { query: AUDIT_LOG, field: 'auditLog', node: entryShape },
        { filter },
        COLUMNS,
        'Nothing yet.',
      );
    },
  },
  export: {
    args: '<file>',
    summary: 'write the audit as JSON lines, and work its hash chain out from them',
    description:
      'Writes the whole audit as JSON lines into a new file that only you can read, and works the hash chain out from the lines, without believing the service.',
    examples: ['audit export audit.jsonl'],
    run: exportFile,
  },
  verify: {
    args: '[file]',
    summary: 'check the hash chain of the audit: at the service, or of an exported file',
    options: [['--head <seq:hash>', 'kept from an earlier check: a tail that was cut off shows only against it']],
    examples: [
      'audit verify',
      'audit verify audit.jsonl --head 42:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    ],
    isOffline: (args) => args.length > 0,
    run: async ({ asker, args, options, terminal, world }) => {
      const head = typeof options['head'] === 'string' ? options['head'] : null;
      const [file] = args;
      const verdict = await (file === undefined
        ? verifyService(asker, head)
        : verifyFile(resolve(world.cwd, file), head));
      tellVerdict(verdict, terminal);
    },
  },
};
