import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CommandLine, startCommandLine } from '../testing/command-line.js';

let line: CommandLine;
beforeEach(async () => {
  line = await startCommandLine();
  await line.logIn();
  line.service.state.answers['issueMcpToken'] = () => ({
    accessToken: 'for-mcp',
    accessExpiresAt: '2026-12-07T09:30:00.000Z',
  });
});
afterEach(() => line.close());

const headers = async (url: string | null): Promise<{ exitCode: number; out: string; err: string }> =>
  line.run(['headers', ...(url === null ? [] : ['--url', url])]);

it('prints a token for the endpoint of the login, with the project that the person bound the folder to', async () => {
  const unbound = await headers(`${line.service.url}/mcp`);
  expect(unbound.exitCode).toBe(0);
  expect(JSON.parse(unbound.out)).toEqual({ Authorization: 'Bearer for-mcp', 'X-Tempera-Project': '' });
  await line.run(['init', '--project', 'web-shop', '--yes']);
  expect(JSON.parse((await headers(`${line.service.url}/mcp`)).out)).toMatchObject({ 'X-Tempera-Project': 'web-shop' });
});

it('prints nothing for another origin or path, nor where nobody says which, and asks for no token then', async () => {
  const { origin, port } = new URL(line.service.url);
  const others = [
    'https://evil.example/mcp',
    `http://localhost:${port}/mcp`,
    `${origin}/other`,
    `${origin}.evil.example/mcp`,
  ];
  const disguised = `http://127.0.0.1:${port}@evil.example/mcp`;
  for (const url of [...others, disguised, 'mcp', null]) {
    const { exitCode, out } = await headers(url);
    expect([url, exitCode, out]).toEqual([url, 3, '']);
  }
  expect(line.asked('issueMcpToken')).toEqual([]);
});
