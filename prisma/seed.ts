import { createDoors } from '@tempera/platform';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOperatorCode } from './operator-code.js';
import { readRolesFile } from './roles.js';
import { Refused, SeedClient } from './seed-client.js';
import { seedMemories } from './seed-memories.js';
import { type SeedState, SeedStateFile } from './seed-state.js';
import { ask, capture, createTenant, logIn, loginCode } from './seed-steps.js';
import { answerText, nextSteps, operatorSteps, type Places } from './seed-text.js';

/** What the first run needs to know; `npm start` sets it. */
export interface SeedSettings {
  readonly apiUrl: string;
  readonly publicUrl: string;
  /** Where state is kept. */
  readonly dataFolder: string;
  /** A login that may make an operator's code. */
  readonly ownerUrl: string;
  /** A login that may list tenants. */
  readonly textUrl: string;
}

const CLI = fileURLToPath(new URL('../../apps/mcp/dist/cli.js', import.meta.url));

const tenantIds = async (textUrl: string): Promise<string[]> => {
  const doors = createDoors({ textUrl });
  try {
    return (await doors.asSystem.listActiveTenants()).map(({ tenantId }) => tenantId);
  } finally {
    await doors.close();
  }
};

/**
 * The state to go on with: an earlier start's, or that of a new tenant. Null where others' tenants are there already:
 * nobody wants a sample among them.
 */
const stateFor = async (settings: SeedSettings, client: SeedClient, file: SeedStateFile): Promise<SeedState | null> => {
  const tenants = await tenantIds(settings.textUrl);
  const known = file.read();
  if (known !== null && tenants.includes(known.tenantId)) return known;
  if (tenants.length > 0) return null;
  const created = await createTenant(client, await createOperatorCode(settings.ownerUrl, 'npm start'));
  file.write(created);
  return created;
};

const firstRun = async (owner: SeedClient, file: SeedStateFile, places: Places): Promise<string> => {
  const count = await capture(owner, seedMemories(places.cli));
  const answer = await ask(owner);
  const state = file.read();
  if (state !== null) file.write({ ...state, finished: true });
  return `Made the tenant "My team" with you as its owner, the project "tempera-team", and ${count} memories.\n\n${answerText(answer)}\n\n`;
};

/**
 * On the first start makes a tenant, a project and memories through GraphQL, and asks one question. Every start says what
 * to do next, with a fresh one-time code. Started again after any interruption it goes on where it was.
 * @returns what to show to the person
 */
export const seed = async (settings: SeedSettings): Promise<string> => {
  const places = { publicUrl: settings.publicUrl, cli: CLI };
  const file = new SeedStateFile(join(settings.dataFolder, 'first-run.json'));
  const client = new SeedClient(settings.apiUrl);
  const state = await stateFor(settings, client, file);
  if (state === null) return nextSteps(places, null);
  try {
    const owner = await logIn(client, file, state);
    if (state.finished) return nextSteps(places, await loginCode(owner));
    const shown = await firstRun(owner, file, places);
    const operator = operatorSteps(places, await createOperatorCode(settings.ownerUrl, 'operator'));
    return `${shown}${nextSteps(places, await loginCode(owner))}\n\n${operator}`;
  } catch (error) {
    // The owner logged out everywhere, or was away for a month: not a reason to keep the service from starting.
    if (error instanceof Refused && error.code === 'UNAUTHENTICATED') return nextSteps(places, null);
    throw error;
  }
};

const settingsFrom = (env: NodeJS.ProcessEnv): SeedSettings => {
  const needed = (name: string): string => {
    const value = env[name];
    if (value === undefined || value === '') throw new Error(`${name} is not set; npm start sets it.`);
    return value;
  };
  const dataFolder = needed('TEMPERA_DATA_DIR');
  const apiUrl = needed('API_URL');
  return {
    apiUrl,
    publicUrl: env['PUBLIC_URL'] || apiUrl,
    dataFolder,
    ownerUrl: env['DATABASE_ADMIN_URL'] || readRolesFile(join(dataFolder, 'database-roles.json')).migrator,
    textUrl: needed('DATABASE_TEXT_URL'),
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(`${await seed(settingsFrom(process.env))}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
