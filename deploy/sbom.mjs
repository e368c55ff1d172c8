#!/usr/bin/env node
// `npm run sbom [-- --out FILE]`: what the images carry from npm, as CycloneDX JSON. From package-lock.json alone, so that it
// says the same wherever it runs. `npm sbom --omit dev` is not used: it leaves out every package that is also somebody's
// development dependency, such as Nest itself.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const everything = () => {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' };
  const { status, stdout, stderr, error } = spawnSync(npm, args, options);
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr || (error?.message ?? 'no reason given')}`);
  return JSON.parse(stdout);
};

/** `name@version` of all that `npm ci --omit=dev` installs. */
const shipped = () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const kept = Object.entries(packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link);
  return new Set(kept.map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`));
};

/** One that lies in two places is told once, and perhaps as somebody's development dependency; here it is shipped. */
const asShipped = ({ properties = [], ...component }) => ({
  ...component,
  scope: 'required',
  properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
});

/** @returns {object} without what only builds and tests */
const withoutDevelopment = (bom) => {
  const refs = shipped();
  const components = bom.components.filter((one) => refs.has(one['bom-ref'])).map(asShipped);
  const known = new Set([bom.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => known.has(other)) }));
  return { ...bom, components, dependencies };
};

try {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  const bom = withoutDevelopment(everything());
  // npm takes the folder's name.
  bom.metadata.component.name = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).name;
  const text = `${JSON.stringify(bom, null, 2)}\n`;
  if (values.out === undefined) process.stdout.write(text);
  else writeFileSync(values.out, text);
} catch (error) {
  console.error(error.message);
  process.exitCode = error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? 2 : 1;
}
