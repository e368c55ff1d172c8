import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { root, runTool } from '../../support/shipping/tools.js';

const bomShape = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  metadata: z.object({ component: z.object({ name: z.string(), version: z.string() }) }),
  components: z.array(z.object({ 'bom-ref': z.string(), purl: z.string(), version: z.string() })),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
const lockShape = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

it(
  'npm run sbom names every package of the images, by name and version, and none that only builds or tests',
  {
    timeout: 120_000,
  },
  async () => {
    const { code, out, err } = await runTool(process.execPath, ['deploy/sbom.mjs'], {
      HOME: process.env['HOME'] ?? root,
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const bom = bomShape.parse(JSON.parse(out));
    const { packages } = lockShape.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
    const shipped = Object.entries(packages)
      .filter(([path, { dev, link }]) => path !== '' && dev !== true && link !== true)
      .map(([path, { name, version }]) => {
        const own = name ?? path.split('node_modules/').at(-1) ?? path;
        return `pkg:npm/${own.replace('@', '%40')}@${version ?? ''}`;
      });
    const named = bom.components.map(({ purl }) => purl.replace(/\?.*$/, ''));
    expect([...new Set(named)].sort()).toEqual([...new Set(shipped)].sort());
    expect(bom.metadata.component).toMatchObject({ name: 'tempera-team' });
    const known = new Set(bom.components.map((component) => component['bom-ref']));
    for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) expect(known).toContain(ref);
  },
);
