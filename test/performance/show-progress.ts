import type { Progress } from './capture-set.js';

/** Progress on stderr, rewritten in place on a terminal and one line a step elsewhere, so that stdout stays one JSON object. */
export const progressOf =
  (name: string): Progress =>
  (done, of, what) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${what} ${done} of ${of}   ${done === of ? '\n' : ''}`);
    else if (done === of) process.stderr.write(`${name}: ${what} ${of}\n`);
  };
