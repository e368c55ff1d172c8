// The closing table and line.

const sum = (steps, key) => steps.reduce((total, step) => total + step[key], 0);

/** The table of steps, as lines. */
export const tableOf = (steps) => [
  `${'layer'.padEnd(12)}${'passed'.padStart(8)}${'failed'.padStart(8)}${'skipped'.padStart(9)}${'seconds'.padStart(9)}`,
  ...steps.map(
    ({ name, passed, failed, skipped, seconds }) =>
      name.padEnd(12) +
      String(passed).padStart(8) +
      String(failed).padStart(8) +
      String(skipped).padStart(9) +
      seconds.toFixed(1).padStart(9),
  ),
];

/** `N passed, N failed`, which a machine reads; skipped ones are named where there are any. */
export const closingLine = (steps) => {
  const skipped = sum(steps, 'skipped');
  return `${sum(steps, 'passed')} passed, ${sum(steps, 'failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
};

/** Prints both, the line last, and sets the exit code. */
export const closeWith = (steps) => {
  console.log(`\n${tableOf(steps).join('\n')}`);
  console.log(`${(performance.now() / 1000).toFixed(0)} s in all\n`);
  console.log(closingLine(steps));
  process.exitCode = sum(steps, 'failed') === 0 && sum(steps, 'passed') > 0 ? 0 : 1;
};
