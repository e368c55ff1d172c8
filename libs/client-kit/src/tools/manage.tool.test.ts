import { describe, expect, it } from 'vitest';
import type { ManageRequest } from '../memory-backend.js';
import { toolByName } from './catalogue.js';
import { contextOf, detailOf, memoryOf } from './samples.testing.js';
import { answerForAgent } from './tool.js';

const manage = toolByName('tempera_manage');
const id = 'a1b2c3d4';

const asked = async (
  args: object,
  proposalId: string | null = null,
): Promise<{ sent: ManageRequest[]; told: string }> => {
  const sent: ManageRequest[] = [];
  const context = contextOf({
    manage: (request) => {
      sent.push(request);
      return Promise.resolve({ proposalId });
    },
    memory: () => Promise.resolve(detailOf(memoryOf())),
  });
  return { sent, told: answerForAgent(await manage.call({ id, ...args }, context)) };
};

describe('tempera_manage', () => {
  it.each([
    [{ action: 'pin' }, { action: 'pin', id }],
    [{ action: 'unpin' }, { action: 'unpin', id }],
    [
      { action: 'forget', id: ' A1B2C3D4 ' },
      { action: 'forget', id },
    ],
    [{ action: 'restore' }, { action: 'restore', id }],
    [
      { action: 'edit', text: 'New words.' },
      { action: 'edit', id, edit: { text: 'New words.' } },
    ],
    [{ action: 'expire' }, { action: 'edit', id, edit: { expiresAt: null } }],
    [
      { action: 'expire', expires: '2027-01-01' },
      { action: 'edit', id, edit: { expiresAt: '2027-01-01T00:00:00.000Z' } },
    ],
    [
      { action: 'share', scope: 'tenant' },
      { action: 'share', id, audience: { scope: 'TENANT' } },
    ],
    [
      { action: 'share', scope: 'project' },
      { action: 'share', id, audience: { scope: 'PROJECT', project: 'web-shop' } },
    ],
    [{ action: 'refute' }, { action: 'refute', id }],
    [
      { action: 'refute', other: 'b2c3d4e5', reason: 'measured' },
      { action: 'refute', id, by: 'b2c3d4e5', reason: 'measured' },
    ],
    [
      { action: 'resolve', other: 'b2c3d4e5', keep: 'merge', text: 'Both.' },
      { action: 'resolve', id, other: 'b2c3d4e5', resolution: 'MERGE', text: 'Both.' },
    ],
    [
      { action: 'resolve', other: 'b2c3d4e5', keep: 'other', reason: 'measured' },
      { action: 'resolve', id, other: 'b2c3d4e5', resolution: 'KEEP_SECOND', reason: 'measured' },
    ],
  ])('asks the service for %j and shows the memory as it is then', async (args, request) => {
    const { sent, told } = await asked(args);
    expect(sent).toEqual([request]);
    expect(told).toContain('Raised the pool to 20');
  });

  it('says that a maintainer was asked where sharing waits for one, and that it can destroy', async () => {
    const { told } = await asked({ action: 'share', scope: 'project' }, 'c3d4e5f6-0000-4000-8000-000000000003');
    expect(told).toContain('A maintainer was asked to share it (proposal c3d4e5f6).');
    expect(manage.annotations).toEqual({ destructiveHint: true, openWorldHint: false });
  });
});
