import type { World } from '../world.js';

const WIDTH = 24;
/** Longer than a bar with its words. */
const LINE = 78;

/** A bar on the error stream while long work goes on; nothing where no person looks on. */
export class Progress {
  private isShown = false;

  constructor(
    private readonly world: Pick<World, 'stderr'>,
    private readonly isForPerson: boolean,
    private readonly what: string,
  ) {}

  show(done: number, total: number): void {
    if (!this.isForPerson || total === 0) return;
    const filled = Math.round((WIDTH * Math.min(done, total)) / total);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
    this.world.stderr.write(`\r${bar} ${done} of ${total} ${this.what}`);
    this.isShown = true;
  }

  /** Makes room for what comes. */
  end(): void {
    if (this.isShown) this.world.stderr.write(`\r${' '.repeat(LINE)}\r`);
    this.isShown = false;
  }
}
