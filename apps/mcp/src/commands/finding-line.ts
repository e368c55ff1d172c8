import type { Finding } from '../doctor/look-around.js';
import type { Terminal } from '../output/terminal.js';

const MARKS = { ok: ['green', 'ok  '], warning: ['yellow', 'warn'], failure: ['red', 'FAIL'] } as const;

/** One finding for people, with what to do below it. */
export const findingLine = (finding: Finding, terminal: Terminal): string => {
  const [tone, mark] = MARKS[finding.verdict];
  const advice = finding.advice === undefined ? '' : `\n      ${finding.advice}`;
  return `${terminal.paint(tone, mark)}  ${finding.name}: ${finding.detail}${advice}`;
};
