import type { Tx } from '../context.js';

/**
 * Answers a waiting device in the name of the door's person, with its line in the audit: make it the last statement.
 * @param userHashes every hash that keys of ours may have made of the user code
 * @returns the device's id; null when nothing waits under this code
 */
export const answerDeviceCode = async (
  tx: Tx,
  userHashes: readonly Uint8Array[],
  approve: boolean,
): Promise<string | null> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from approve_device_code(${userHashes.map((hash) => Buffer.from(hash))}::bytea[], ${approve})`;
  return rows[0]?.id ?? null;
};
