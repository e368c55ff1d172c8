import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorIn } from './follow-log.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { socketUrl } from './pglite.mjs';
import { taskLine } from './progress.mjs';
import { rebaseRoles, rebaseUrl } from './role-urls.mjs';
import { findUser } from './unprivileged.mjs';

describe('progress of a download', () => {
  const task = { label: 'downloading it', done: 7_500_000, total: 30_000_000, elapsedMs: 1_240 };

  it('is a bar on a terminal and a plain line elsewhere', () => {
    expect(taskLine(task, true)).toBe('downloading it: [######------------------]  25 % of 30.0 MB (1.2 s)');
    expect(taskLine(task, false)).toBe('downloading it:  25 % of 30.0 MB (1.2 s)');
  });

  it('never passes 100 % when there is more than expected, and claims nothing while nothing came', () => {
    expect(taskLine({ ...task, done: 31_000_000 }, false)).toContain('100 %');
    expect(taskLine({ ...task, done: 0 }, true)).toBe('downloading it (1.2 s)');
  });
});

describe('errors out of a log', () => {
  it('shows what is an error, by number or by name, and nothing else', () => {
    expect(errorIn('{"level":50,"msg":"it broke","err":{"message":"why"}}')).toBe('it broke: why');
    expect(errorIn('{"level":"error","msg":"it broke"}')).toBe('it broke');
    expect(errorIn('{"level":30,"msg":"all is well"}')).toBeUndefined();
    expect(errorIn('plain text')).toBeUndefined();
    expect(errorIn('{"level":50,')).toBeUndefined();
  });
});

describe('connections of the roles', () => {
  const role = 'postgresql://mem_app:pass%2Fword@127.0.0.1:5001/postgres';

  it('follow the server to another port or socket, and keep user and password', () => {
    expect(rebaseUrl(role, 'postgresql://postgres:root@127.0.0.1:6002/tempera')).toBe(
      'postgresql://mem_app:pass%2Fword@127.0.0.1:6002/tempera',
    );
    expect(rebaseUrl(role, socketUrl('/data/with space'))).toBe(
      'postgresql://mem_app:pass%2Fword@localhost:5432/postgres?host=%2Fdata%2Fwith%20space',
    );
  });

  it('are rewritten in their file, which stays closed to others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'roles-test-'));
    const file = join(folder, 'roles.json');
    rebaseRoles(file, 'postgresql://postgres:root@127.0.0.1:6002/postgres');
    writeJson(file, { app: role });
    rebaseRoles(file, 'postgresql://postgres:root@127.0.0.1:6002/postgres');
    expect(readJson(file, {})).toEqual({ app: role.replace('5001', '6002') });
    rmSync(folder, { recursive: true });
  });

  it('a file that is damaged is not taken for an absent one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'roles-test-'));
    const file = join(folder, 'roles.json');
    writeFileSync(file, '{"app":');
    expect(() => readJson(file, {})).toThrow();
    rmSync(folder, { recursive: true });
  });
});

describe('whom the database server runs as', () => {
  it('is found by name in the list of users', () => {
    const passwd = 'root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin\n';
    expect(findUser('nobody', passwd)).toEqual({ name: 'nobody', uid: 65534, gid: 65533 });
    expect(findUser('somebody', passwd)).toBeUndefined();
  });
});
