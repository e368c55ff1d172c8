import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Manifest, podOf } from '../../support/shipping/chart.js';
import { useChart, valuesOf } from '../../support/shipping/rendering.js';
import { root } from '../../support/shipping/tools.js';

const { render } = useChart();

describe('the backups of the chart', () => {
  it('are taken each night where they are wanted, encrypted, onto a volume, by a program that is there', async ({
    skip,
  }) => {
    const manifests = await render(skip, valuesOf('temporal-cloud'));
    const named = (kind: string): Manifest | undefined =>
      manifests.find((one) => one.kind === kind && one.metadata.name === 'town-backup');
    expect(named('CronJob')).toMatchObject({ spec: { schedule: '10 2 * * *', concurrencyPolicy: 'Forbid' } });
    expect(named('ConfigMap')).toMatchObject({ data: { 'recipients.txt': expect.stringMatching(/^age1q+\n$/) } });
    const pod = podOf(manifests, 'backup');
    const [container] = pod.containers;
    expect(container?.command).toEqual(['node', '/app/dist/prisma/backup/backup-cli.js']);
    const words = ['--into', '/backups', '--keep', '14', '--recipients', '/run/tempera/backup/recipients.txt'];
    expect(container?.['args']).toEqual(words);
    const program = readFileSync(join(root, 'prisma/backup/backup-cli.ts'), 'utf8');
    for (const word of words.filter((one) => one.startsWith('--'))) expect(program).toContain(`${word.slice(2)}: {`);
    const mounted = container?.volumeMounts.map(({ mountPath }) => mountPath);
    expect(mounted).toEqual(expect.arrayContaining(['/backups', '/run/tempera/backup']));
    expect(pod.volumes).toContainEqual({ name: 'backups', persistentVolumeClaim: { claimName: 'tempera-backups' } });
    const without = await render(skip, valuesOf('own-temporal'));
    expect(without.filter(({ metadata }) => metadata.name.includes('backup'))).toEqual([]);
  });
});
