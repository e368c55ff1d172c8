import { plainLine } from '../untrusted-text.js';
import { agoText } from './memory-text.js';

/** What waits on the caller's machine for the service. */
export interface WaitingHere {
  readonly waiting: number;
  readonly bytes: number;
  /** Of the oldest. */
  readonly since: Date | null;
  /** What the service refused for ever. */
  readonly setAside: number;
  /** What was not kept, since the spool or the disk was full. */
  readonly lost: number;
  /** Why the last try failed. */
  readonly why: string | null;
  readonly nextTry: Date | null;
}

/** Lines of ours about it; none where there is nothing to say. */
export const waitingLines = (here: WaitingHere, now: Date): string[] => {
  const since = here.since === null ? '' : `, the oldest since ${agoText(here.since, now)}`;
  const why = here.why === null ? '' : ` Last try: ${plainLine(here.why, 200)}`;
  return [
    ...(here.waiting === 0 ? [] : [`On this machine ${here.waiting} wait to be delivered${since}.${why}`]),
    ...(here.setAside === 0 ? [] : [`${here.setAside} were refused and set aside: \`tempera spool list\`.`]),
    ...(here.lost === 0 ? [] : [`${here.lost} could not be kept here, as the spool or the disk was full.`]),
  ];
};

/** The same for programs. */
export const structuredHere = (here: WaitingHere): Record<string, unknown> => ({
  ...here,
  since: here.since?.toISOString() ?? null,
  nextTry: here.nextTry?.toISOString() ?? null,
});
