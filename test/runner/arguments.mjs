// The command lines of `npm test` and `npm run check`, read without a stack for what was mistyped.
import { parseArgs } from 'node:util';
import { LAYERS, ON_DEMAND } from './steps.mjs';

/** What `--layer` takes; `checks` is format, lint, types and arrows. */
export const ALL = ['checks', ...LAYERS];

export const TEST_USAGE = `Usage: npm test                          every layer, from a bare clone
       npm test -- --layer NAME          one layer; may be repeated: ${ALL.join(', ')}
       npm test -- --full                also the long forms of the load, fault and attack suites
       npm run test:attacks [-- --full]  only the attacks of docs/design.md, of all layers, with a table of what they tried
       npm run test:faults [-- --full]   only the faults: kills, bad networks, restores; with a table of what was done to the service
       npm run test:client               the real Claude Code against a service of its own (fetches it once, 384 MB); not part of npm test
       npm test -- --help

Servers of its own are started for the layers that need them. TEST_DATABASE_URL names a superuser's connection to a Postgres
to use instead; Temporal and encoders are found as by npm start. Ends with "N passed, N failed".`;

/** A command line that cannot be read: shown with the usage, without a stack. */
export class UsageError extends Error {}

/**
 * @param {string[]} args
 * @returns {{layers: string[], full: boolean, attacks: boolean, help: boolean}}
 * @throws {UsageError}
 */
export const readTestArguments = (args) => {
  const { layer, full = false, attacks = false, help = false } = parse(args);
  const unknown = layer?.find((name) => !ALL.includes(name) && !ON_DEMAND.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no layer "${unknown}": it is one of ${ALL.join(', ')}.`);
  // Faults are no attacks, and their layer has nothing else.
  const possible = attacks ? LAYERS.filter((name) => name !== 'faults') : ALL;
  const layers = [
    ...possible.filter((name) => layer === undefined || layer.includes(name)),
    ...ON_DEMAND.filter((name) => layer?.includes(name)),
  ];
  return { layers, full, attacks, help };
};

const parse = (args) => {
  const options = {
    layer: { type: 'string', multiple: true },
    full: { type: 'boolean' },
    attacks: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS')) throw error;
    // Node's text goes on with advice about dashes that nobody here needs.
    const [said] = error.message.split(/\. To |\n/);
    throw new UsageError(said.endsWith('.') ? said : `${said}.`);
  }
};
