import { ESLint } from 'eslint';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { projectRoot } from '../support/programs.js';

const eslint = new ESLint({ cwd: projectRoot });

/** Ways around the doors, as somebody in a hurry would write them. None of these files exists. */
const PLANTED: Readonly<Record<string, string>> = {
  'unsafe raw SQL': 'export const all = (tx: Tx) => tx.$queryRawUnsafe("select 1");',
  'unsafe raw SQL by another spelling': `export const all = (tx: Tx) => tx['$queryRawUnsafe']('select 1');`,
  'unsafe raw SQL taken apart': 'export const all = ({ $executeRawUnsafe }: Tx) => $executeRawUnsafe("select 1");',
  'spliced SQL': 'export const all = (tx: Tx, name: string) => tx.$queryRaw`select 1 from ${Prisma.raw(name)}`;',
  'a client of one’s own': 'export const client = new PrismaClient({ adapter });',
  'a client of a namespace': 'export const client = new generated.PrismaClient({ adapter });',
  'a client asked for': 'export class Service { constructor(private readonly client: PrismaClient) {} }',
  'the client’s class': `import { PrismaClient } from '../generated/prisma/client.js';\nexport const made = PrismaClient;`,
  'the whole client': `import * as prisma from '../generated/prisma/client.js';\nexport const made = prisma;`,
  'the public client': `import { PrismaClient } from '@prisma/client';\nexport const made = PrismaClient;`,
  'a bare driver': `import pg from 'pg';\nexport const pool = new pg.Pool();`,
  'the adapter': `import { PrismaPg } from '@prisma/adapter-pg';\nexport const made = PrismaPg;`,
  'a connection': `import { connect } from '../database/connect.js';\nexport const made = connect;`,
  'a query outside a door': 'export const all = (client: Client) => client.memory.findMany();',
  'a query on something kept': 'export class S { all() { return this.db.memory.findFirst({ where: { id: 1 } }); } }',
  'a write outside a door': 'export const add = (db: Client) => db.memory.createMany({ data: [] });',
  'SQL outside a door': 'export const all = (client: Client) => client.$queryRaw`select 1`;',
  'a transaction of one’s own': 'export const run = (client: Client) => client.$transaction(async () => 1);',
};
const PLACES = [
  'apps/api/src/memories/planted.ts',
  'apps/worker/src/planted.ts',
  'libs/platform/src/search/planted.ts',
];
const RULES = ['no-restricted-properties', 'no-restricted-syntax', 'no-restricted-imports'];

const isRefused = async (code: string, filePath: string): Promise<boolean> => {
  const [result] = await eslint.lintText(code, { filePath: join(projectRoot, filePath) });
  return (result?.messages ?? []).some(({ ruleId, severity }) => severity === 2 && RULES.includes(ruleId ?? ''));
};

const sources = ['apps', 'libs'].flatMap((room) =>
  readdirSync(join(projectRoot, room), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(test|testing)\.ts$/.test(entry.name))
    .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)))
    .filter((file) => !/node_modules|\/dist\/|\/generated\//.test(file)),
);

describe('attack 1.18: code that goes around the doors', () => {
  it('is refused by the lint, in every room, however it is written', async () => {
    const passed: string[] = [];
    for (const place of PLACES) {
      for (const [name, code] of Object.entries(PLANTED)) {
        if (!(await isRefused(code, place))) passed.push(`${name} in ${place}`);
      }
    }
    reportAttack('1.18', PLACES.length * Object.keys(PLANTED).length, { passed: passed.length });
    expect(passed).toEqual([]);
  });

  it('is told from what a door hands out', async () => {
    const inside = [
      'export const all = (tx: Tx) => tx.memory.findMany({ where: { tenantId } });',
      'export const all = (tx: Tx) => tx.$queryRaw`select 1 where ${id} = 1`;',
    ];
    for (const code of inside) expect(await isRefused(code, 'apps/api/src/memories/planted.ts')).toBe(false);
  });

  it('has no exception: the rules hold everywhere but in the files that make the doors, and no comment lifts them', async () => {
    const excepted: string[] = [];
    for (const file of sources) {
      const config = (await eslint.calculateConfigForFile(join(projectRoot, file))) as {
        rules: Readonly<Record<string, readonly [number]>>;
      };
      if (RULES.some((rule) => config.rules[rule]?.[0] !== 2)) excepted.push(file);
    }
    const database = 'libs/platform/src/database';
    expect(excepted.sort()).toEqual(
      ['connect', 'context', 'doors', 'system-door'].map((name) => `${database}/${name}.ts`),
    );
    const commented = sources.filter((file) => /eslint-disable/.test(readFileSync(join(projectRoot, file), 'utf8')));
    expect(commented).toEqual([]);
    expect(sources.length).toBeGreaterThan(200);
  });
});
