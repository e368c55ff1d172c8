/** `npm run golden -- FILE`: checks the rules against a golden file. Exit 0 all pass, 1 some fail, 2 cannot be checked. */
import { readFileSync } from 'node:fs';
import { runGolden, type GoldenResult } from './golden.js';
import { GoldenFileError } from './golden-input.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const readGolden = (path: string): unknown => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new GoldenFileError(`cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new GoldenFileError(`${path} is not JSON: ${messageOf(cause)}`, { cause });
  }
};

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const report = (results: readonly GoldenResult[]): number => {
  const failed = results.filter(({ passed }) => !passed);
  for (const { name, input, expected, got } of failed) {
    print(`FAILED ${name}`);
    print(`  input    ${JSON.stringify(input)}`);
    print(`  expected ${JSON.stringify(expected)}`);
    print(`  got      ${JSON.stringify(got)}`);
  }
  print(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 ? 0 : 1;
};

const main = (paths: readonly string[]): number => {
  if (paths.includes('--help')) {
    print('npm run golden -- FILE    checks the rules of memory against a golden file; exit 0: all pass, 1: some fail');
    return 0;
  }
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0) throw new GoldenFileError('give one file: npm run golden -- FILE');
  return report(runGolden(readGolden(path)));
};

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof GoldenFileError)) throw error;
  process.stderr.write(`golden: ${error.message}\n`);
  process.exitCode = 2;
}
