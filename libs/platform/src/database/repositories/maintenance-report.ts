import type { MaintenanceReport } from '../../temporal/contract.js';

/** What one page did; a step fills only its own figures. */
export type PageReport = Partial<Omit<MaintenanceReport, 'converged'>> & {
  /** What it looked at, and how much of that changed: memories, or rows of other kinds. */
  readonly looked?: number;
  readonly changed?: number;
};

/** A run whose largest change stays below this has arrived; the same limit as core's. */
const CONVERGED_BELOW = 0.001;

/** The pages of a run as one report: counts add up; of rounds and changes the largest counts. */
export const addReports = (pages: readonly PageReport[]): MaintenanceReport => {
  const sum = (figure: keyof PageReport): number => pages.reduce((total, page) => total + (page[figure] ?? 0), 0);
  const most = (figure: keyof PageReport): number => pages.reduce((top, page) => Math.max(top, page[figure] ?? 0), 0);
  const residual = most('residual');
  return {
    expired: sum('expired'),
    credited: sum('credited'),
    snapshots: sum('snapshots'),
    sources: sum('sources'),
    hops: most('hops'),
    touched: sum('touched'),
    residual,
    converged: residual < CONVERGED_BELOW,
    merged: sum('merged'),
    proposed: sum('proposed'),
    guarded: sum('guarded'),
    pruned: sum('pruned'),
    erased: sum('erased'),
    cleared: sum('cleared'),
    removed: sum('removed'),
    profiles: sum('profiles'),
    measured: sum('measured'),
    setAside: sum('setAside'),
  };
};
