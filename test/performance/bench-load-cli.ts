import { parseArgs } from 'node:util';
import { runLoad } from './load/load-run.js';
import { loadTables } from './load/load-table.js';
import type { LoadOptions } from './load/world.js';

const HELP = `npm run bench:load -- [--memories 200000] [--tenants 1000] [--clients 1,10,50] [--growth 1000,10000,100000]
                      [--seconds 20] [--seed 1] [--words 20] [--json]

Fills an instance of its own (built API, native Postgres with fsync on) and asks it over HTTP what the MCP server asks.

  --memories N    memories in all; sizes of tenants go as 1, 1/2, 1/3 … of the largest
  --tenants N     tenants, at least 3
  --clients A,B   clients at once, each with one request at a time and somebody else's question each time
  --growth A,B    tenants that are added afterwards and asked alone; 0 for none
  --seconds N     how long each measurement lasts
  --words N       words of each list that texts are made of, 2 to 20: 20 make 400 subjects
  --json          one object instead of tables

Small, to see it work: --memories 2000 --tenants 20 --clients 1,4 --growth 500 --seconds 2 --words 6

Columns:
  p50 p95 p99     milliseconds from a request to the last byte of its answer
  a second        answers of all clients together
  API, database   processor milliseconds an answer, in the API and in the database's backends
  short           answers with fewer hits than there are memories of the subject that the asker may see, up to ten
  refused         requests without an answer, for want of room or time
  auth … record   mean milliseconds of the API's stages, from its own metrics
  bare SQL        the nearest 200 by vector, the best 200 by words, and ten texts, as a superuser without policies
  recall          of the nearest ten and two hundred of an exact scan, what the index finds, by the same people

Progress goes to stderr.`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const wholeNumber = (name: string, text: string, least: number, most = 10_000_000): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} takes whole numbers from ${least} to ${most}, not "${text}".`);
};

const wholeNumbers = (name: string, text: string, most: number): number[] =>
  text.split(',').map((one) => wholeNumber(name, one, 1, most));

const readOptions = (values: Record<string, string | boolean | undefined>): LoadOptions => {
  const text = (name: string): string => String(values[name]);
  const options = {
    memories: wholeNumber('memories', text('memories'), 100),
    tenants: wholeNumber('tenants', text('tenants'), 3, 100_000),
    clients: wholeNumbers('clients', text('clients'), 1_000),
    growth: text('growth') === '0' ? [] : wholeNumbers('growth', text('growth'), 1_000_000),
    seconds: wholeNumber('seconds', text('seconds'), 1, 3_600),
    words: wholeNumber('words', text('words'), 2, 20),
    seed: wholeNumber('seed', text('seed'), 0),
  };
  if (options.memories < options.tenants) throw new Error('--memories are at least as many as --tenants.');
  return options;
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      memories: { type: 'string', default: '200000' },
      tenants: { type: 'string', default: '1000' },
      clients: { type: 'string', default: '1,10,50' },
      growth: { type: 'string', default: '1000,10000,100000' },
      seconds: { type: 'string', default: '20' },
      words: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(HELP);
  const report = await runLoad(readOptions(values));
  print(values.json ? JSON.stringify({ bench: 'load', ...report }) : loadTables(report));
};

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
