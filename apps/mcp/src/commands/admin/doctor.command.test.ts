import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../../testing/command-line.js';

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
});
afterEach(() => line.close());

describe('tempera admin doctor', () => {
  const finding = (name: string, verdict: string): object => ({
    ...{ name, verdict, detail: `${name} in detail` },
    advice: verdict === 'OK' ? null : `Mend the ${name}.`,
  });
  const asOperator = async (findings: readonly object[]): Promise<void> => {
    await line.run(['admin', 'login', '--server', line.service.url], 'good-code\n');
    line.service.state.answers['instanceDoctor'] = () => findings;
  };

  it('says what is wrong and what to do, by words and exit code; what is only worth a look counts with --strict', async () => {
    await asOperator([finding('database', 'OK'), finding('quotas', 'WARNING')]);
    expect(await line.run(['admin', 'doctor'])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('Mend the quotas.'),
    });
    expect(await line.run(['admin', 'doctor', '--strict'])).toMatchObject({
      exitCode: 5,
      out: expect.stringContaining('warn  quotas'),
    });
    await asOperator([finding('worker', 'FAILURE')]);
    const { exitCode, out } = await line.run(['admin', 'doctor', '--json']);
    expect(exitCode).toBe(5);
    expect(JSON.parse(out)).toMatchObject({
      healthy: false,
      findings: [
        { name: 'service', verdict: 'ok' },
        { name: 'worker', verdict: 'failure', advice: 'Mend the worker.' },
      ],
    });
  });

  it('tells the readiness of a service that can let nobody in, and the id under which its log knows the request', async () => {
    await asOperator([]);
    line.service.state.readiness = { status: 503, body: { status: 'the database does not answer' } };
    line.service.state.answers['instanceDoctor'] = () => {
      throw new Error('boom');
    };
    const ran = await line.run(['admin', 'doctor']);
    expect(ran).toMatchObject({ exitCode: 6, out: expect.stringContaining('the database does not answer') });
    expect(line.service.state.requestIds.at(-1)).toMatch(/^[0-9a-f-]{36}$/);
    expect(ran.out).toContain(`correlation id ${line.service.state.requestIds.at(-1) ?? ''}`);
  });

  it('looks at the tenant of who is no operator, or asks to, and at nothing without a login', async () => {
    expect((await line.run(['admin', 'doctor'])).exitCode).toBe(3);
    await line.logIn();
    line.service.state.answers['tenantDoctor'] = () => [finding('nights', 'OK')];
    expect(await line.run(['admin', 'doctor'])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('nights in detail'),
    });
    line.service.state.codes.add('good-code');
    await asOperator([]);
    expect((await line.run(['admin', 'doctor', '--tenant'])).out).toContain('nights in detail');
  });
});
