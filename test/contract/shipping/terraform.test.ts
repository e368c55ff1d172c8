import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { getTool, type Had, need, root, runTool, tools } from '../../support/shipping/tools.js';

// Required, not imported: its types bring those of browsers with them, and change what a Response is everywhere.
const { parse } = createRequire(import.meta.url)('@cdktf/hcl2json') as {
  parse: (name: string, contents: string) => Promise<unknown>;
};

const FOLDER = join(root, 'infra/terraform');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.tf'));
const text = files.map((name) => readFileSync(join(FOLDER, name), 'utf8')).join('\n');

const blocks = z.array(z.record(z.string(), z.unknown()));
const module = z.object({
  variable: z.record(z.string(), blocks).default({}),
  output: z.record(z.string(), blocks).default({}),
  resource: z.record(z.string(), z.record(z.string(), blocks)).default({}),
  data: z.record(z.string(), z.record(z.string(), blocks)).default({}),
});

/** Of the provider, version by version; read off its published bindings, since it cannot be fetched everywhere. */
const { types } = z
  .object({
    types: z.record(
      z.string(),
      z.object({
        required: z.array(z.string()),
        arguments: z.array(z.string()),
        attributes: z.array(z.string()),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(root, 'test/contract/shipping/aws-provider.json'), 'utf8')));
/** Of Terraform itself. */
const META = new Set(['for_each', 'count', 'depends_on', 'lifecycle', 'create_before_destroy', 'ignore_changes', 'id']);

let parsed: z.output<typeof module>;
let terraform: Had<string>;
let folder: string;
beforeAll(async () => {
  terraform = await getTool(tools.terraformProgram).catch((error: Error) => ({ missing: error.message }));
  folder = mkdtempSync(join(tmpdir(), 'tempera-terraform-'));
  parsed = module.parse(await parse('all.tf', text));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Every argument of a block and of the blocks in it. */
const argumentsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(argumentsOf)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => [name, ...argumentsOf(inner)])
      : [];
/** Maps whose keys are our own. */
const OPEN = new Set(['tags']);
const withoutOpen = (block: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(block).map(([name, value]) => [name, OPEN.has(name) ? '' : value]));

describe('the Terraform module', () => {
  it('gives every resource what the provider asks for, and nothing it does not know', () => {
    const faults: string[] = [];
    const check = (type: string, named: Record<string, z.output<typeof blocks>>): void => {
      const known = types[type];
      if (known === undefined) return void faults.push(`${type} is not in aws-provider.json`);
      for (const [name, [block = {}]] of Object.entries(named)) {
        const given = argumentsOf(withoutOpen(block)).filter((argument) => !META.has(argument));
        faults.push(
          ...given.filter((argument) => !known.arguments.includes(argument)).map((word) => `${type}.${name}.${word}`),
          ...known.required.filter((word) => !given.includes(word)).map((word) => `${type}.${name} lacks ${word}`),
        );
      }
    };
    for (const [type, named] of Object.entries(parsed.resource)) check(type, named);
    for (const [type, named] of Object.entries(parsed.data)) check(`data.${type}`, named);
    expect(Object.keys(parsed.resource).length).toBeGreaterThan(12);
    expect(faults).toEqual([]);
  });

  it('refers to nothing that is not there, and asks for nothing it does not use', () => {
    const faults: string[] = [];
    const code = text.replaceAll(/#.*$/gm, '');
    for (const [, data = '', type = '', name = '', attribute] of code.matchAll(
      /(?<![\w.])(data\.)?(aws_\w+)\.(\w+)(?:\.(\w+))?/g,
    )) {
      const isThere = (data === '' ? parsed.resource : parsed.data)[type]?.[name] !== undefined;
      const known = types[`${data}${type}`];
      const isKnown =
        attribute === undefined || [...(known?.attributes ?? []), ...(known?.arguments ?? [])].includes(attribute);
      if (!isThere || !isKnown) faults.push(`${data}${type}.${name}.${attribute ?? ''}`);
    }
    const used = new Set([...code.matchAll(/\bvar\.(\w+)/g)].map(([, name]) => name));
    const outside = code.replaceAll(/variable "[^]*?\n}/g, '');
    faults.push(...[...used].filter((name) => parsed.variable[name ?? ''] === undefined).map((name) => `var.${name}`));
    for (const name of Object.keys(parsed.variable)) {
      if (!new RegExp(`\\bvar\\.${name}\\b`).test(outside)) faults.push(`var.${name} is not used`);
    }
    expect(faults).toEqual([]);
  });

  it('explains every variable and output, and checks each variable that could be wrong', () => {
    for (const [name, [variable]] of Object.entries(parsed.variable)) {
      expect(variable, name).toMatchObject({ description: expect.any(String), type: expect.any(String) });
      if (!/bool|map\(string\)/.test(String(variable?.['type']))) expect(variable, name).toHaveProperty('validation');
    }
    for (const [name, [output]] of Object.entries(parsed.output)) {
      expect(output, name).toMatchObject({ description: expect.any(String) });
    }
  });

  it('keeps the database and its dumps encrypted, apart and in time, and no password in its state', () => {
    const only = (type: string): Record<string, unknown> => Object.values(parsed.resource[type] ?? {})[0]?.[0] ?? {};
    expect(only('aws_db_instance')).toMatchObject({
      storage_encrypted: true,
      publicly_accessible: false,
      manage_master_user_password: true,
      skip_final_snapshot: false,
    });
    expect(only('aws_db_instance')).not.toHaveProperty('password');
    expect(JSON.stringify(only('aws_db_parameter_group'))).toMatch(/rds\.force_ssl","value":"1"/);
    expect(only('aws_s3_bucket')).toMatchObject({ object_lock_enabled: true });
    const blocked = Object.entries(only('aws_s3_bucket_public_access_block')).filter(([, value]) => value === true);
    expect(blocked).toHaveLength(4);
    // What `resource "random_password"` or `secret_string` makes is kept in the state, in the clear.
    expect(Object.keys(parsed.resource)).not.toContain('random_password');
    expect(only('aws_secretsmanager_secret_version')).not.toHaveProperty('secret_string');
  });

  it('gives the chart values that it takes, and URLs under the names of its logins', () => {
    const values = readFileSync(join(root, 'deploy/helm/tempera-team/values.yaml'), 'utf8');
    const output = /output "chart_values" \{[^]*?\n}/.exec(text)?.[0] ?? '';
    for (const word of ['database', 'existingSecret', 'ca', 'existingConfigMap', 'networkPolicy', 'postgres']) {
      expect(output).toContain(word);
      expect(values).toContain(`${word}:`);
    }
    const logins = /logins = \{([^]*?)}/.exec(text)?.[1]?.match(/\w+(?=\s+=)/g) ?? [];
    expect(logins.map((login) => `DATABASE_${login.toUpperCase()}_URL`).sort()).toEqual(
      (/keys:\n([^]*?)\n {2}#/.exec(values)?.[1]?.match(/DATABASE_\w+_URL/g) ?? [])
        // Not in an URL of its own: the master's password is the server's, and so are its backups.
        .filter((name) => name !== 'DATABASE_ADMIN_URL' && name !== 'DATABASE_BACKUP_URL')
        .sort(),
    );
    expect(text).toContain('/run/tempera/postgres/ca.pem');
  });
});

describe('terraform itself', { timeout: 120_000 }, () => {
  it('finds every file in its own form', async ({ skip }) => {
    const { code, out } = await runTool(need(terraform, skip), ['fmt', '-check', '-recursive', FOLDER]);
    expect(out).toBe('');
    expect(code).toBe(0);
  });

  it('takes what the variables are for, and refuses the rest by name', async ({ skip }) => {
    const program = need(terraform, skip);
    // The variables alone: their rules need no provider.
    cpSync(join(FOLDER, 'variables.tf'), join(folder, 'variables.tf'));
    const plan = (values: Record<string, unknown>): ReturnType<typeof runTool> => {
      const variables = Object.entries(values).flatMap(([name, value]) => [
        '-var',
        `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
      return runTool(program, ['plan', '-input=false', '-no-color', ...variables], { CHECKPOINT_DISABLE: '1' }, folder);
    };
    const good = {
      name: 'tempera-prod',
      vpc_id: 'vpc-0123456789abcdef0',
      database_subnet_ids: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
      client_security_group_ids: { nodes: 'sg-0123456789abcdef0' },
      backup_bucket_name: 'example-tempera-backups',
    };
    expect(await plan(good)).toMatchObject({ code: 0 });
    const bad = {
      name: 'Tempera',
      vpc_id: 'vpc',
      database_subnet_ids: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef0'],
      client_security_group_ids: {},
      postgres_version: '18.5',
      database_name: 'Memory',
      instance_class: 'large',
      max_storage_gb: 19,
      snapshot_days: 36,
      logins_version: 0,
      backup_bucket_name: 'A',
      backup_lock_mode: 'compliance',
      backup_lock_days: 40,
      backup_keep_days: 35,
      kubernetes_secret_name: 'A_B',
    };
    expect((await plan({ ...good, storage_gb: 19 })).err).toContain('variable "storage_gb"');
    const refused = await plan(bad);
    expect(refused.code).toBe(1);
    const named = [...refused.err.matchAll(/variable "(\w+)" \{/g)].map(([, one]) => one);
    // How long a dump is locked is wrong only beside how long it is kept, and it is the latter that says so.
    const expected = Object.keys(bad).filter((name) => name !== 'backup_lock_days');
    expect([...new Set(named)].sort()).toEqual(expected.sort());
  });

  it('finds the module valid, where its providers can be fetched', async ({ skip }) => {
    const program = need(terraform, skip);
    const whole = join(folder, 'whole');
    cpSync(FOLDER, whole, { recursive: true });
    const env = { CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' };
    const { code, err } = await runTool(program, ['init', '-backend=false', '-input=false', '-no-color'], env, whole);
    if (code !== 0) {
      // A closed network is no fault of the module; anything else is.
      expect(err).toMatch(/could not connect to registry|failed to\s+request discovery document/);
      skip('not checked: the providers cannot be fetched here');
    }
    expect(await runTool(program, ['validate', '-no-color'], env, whole)).toMatchObject({ code: 0 });
  });
});
