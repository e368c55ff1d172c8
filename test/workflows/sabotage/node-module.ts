/** What somebody might do without thinking of the sandbox: use what Node has and a replay has not. */
import { randomUUID } from 'node:crypto';

export async function nightlyMaintenance(): Promise<string> {
  return randomUUID();
}
