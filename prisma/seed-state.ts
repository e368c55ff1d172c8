import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const shape = z.object({
  tenantId: z.uuid(),
  /** Until the owner has logged in with it. */
  invitationCode: z.string().optional(),
  refreshToken: z.string().optional(),
  /** Everything was captured. */
  finished: z.boolean().default(false),
});

/** How far the first run came, and the owner's login on this machine. */
export type SeedState = z.infer<typeof shape>;

/** The state in the data folder; readable by its owner alone, since it holds a login. */
export class SeedStateFile {
  constructor(private readonly path: string) {}

  read(): SeedState | null {
    return existsSync(this.path) ? shape.parse(JSON.parse(readFileSync(this.path, 'utf8'))) : null;
  }

  /** In one step, so that a crash leaves the old state or the new one. */
  write(state: SeedState): void {
    const draft = `${this.path}.new`;
    writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.path);
  }
}
