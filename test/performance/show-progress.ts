import type { Progress } from './capture-set.js';

/** Progress on stderr, in place on a terminal and a line every tenth elsewhere, so that stdout stays one JSON object. */
export const progressOf = (name: string): Progress => {
  let tenth = 0;
  return (done, of, what) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${what} ${done} of ${of}   ${done === of ? '\n' : ''}`);
    else if (Math.floor((10 * done) / of) !== tenth) process.stderr.write(`${name}: ${what} ${done} of ${of}\n`);
    tenth = Math.floor((10 * done) / of);
  };
};
