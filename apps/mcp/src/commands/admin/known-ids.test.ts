import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../../testing/command-line.js';
import { ADMIN_NOUNS } from './admin.command.js';

const ID = '44444444-0000-4000-8000-000000000004';
/** A line of a help text as a shell reads it: words, and quoted words. */
const wordsOf = (text: string): string[] => (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
});
afterEach(() => line.close());

describe('the commands of tempera admin', () => {
  it('take eight characters of every id, looked up in the list of its kind', async () => {
    await line.logIn();
    const ids = { nodes: [{ id: ID }], pageInfo: { hasNextPage: false, endCursor: null } };
    const lists = [
      'users',
      'erasures',
      'invitations',
      'identities',
      'proposals',
      'maintenanceRuns',
      'tenants',
      'maintenanceChanges',
    ];
    for (const field of lists) line.service.state.answers[field] = () => ids;
    for (const field of ['recallRules', 'operators']) line.service.state.answers[field] = () => ids.nodes;
    const changes =
      'updateUser suspendUser resumeUser removeUser eraseUser erasure revokeInvitation unlinkIdentity addMember removeMember maintenanceRun cancelMaintenance updateRecallRule deleteRecallRule suspendTenant resumeTenant deleteTenant tenantDeletion quota setQuota disableOperator';
    for (const field of changes.split(' ')) line.service.state.answers[field] = () => null;
    line.service.state.codes.add('operator-code');
    await line.run(['admin', 'login', '--server', line.service.url], 'operator-code');
    const taking = ADMIN_NOUNS.flatMap(({ name, verbs }) =>
      Object.entries(verbs).flatMap(([word, verb]) =>
        /<(?:id|tenant)>/.test(verb.args ?? '') ? [{ verb, words: ['admin', name, word] }] : [],
      ),
    );
    expect(taking.length).toBeGreaterThan(14);
    for (const { verb, words } of taking) {
      const example = wordsOf(verb.examples[0] ?? '').map((part) => (/^0192f0c4-/.test(part) ? ID.slice(0, 8) : part));
      line.service.state.asked.length = 0;
      await line.run(['admin', ...example, ...(verb.question === undefined ? [] : ['--yes'])]);
      const sent = JSON.stringify(line.service.state.asked.at(-1)?.args ?? {});
      expect([words.join(' '), sent]).toEqual([words.join(' '), expect.stringContaining(ID)]);
    }
  });
});
