// A throwaway Postgres from the pgvector image, where a Docker engine is there.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startChild } from './children.mjs';
import { runCommand } from './command.mjs';
import { freePort } from './ports.mjs';
import { THROWAWAY } from './postgres-cluster.mjs';
import { waitUntil } from './wait-until.mjs';

const IMAGE = 'pgvector/pgvector:0.8.5-pg18';
const ENGINE_TIMEOUT_MS = 5_000;

const hasImage = async (progress) => {
  if (!(await runCommand('docker', ['info'], { timeoutMs: ENGINE_TIMEOUT_MS })).ok) return false;
  if ((await runCommand('docker', ['image', 'inspect', IMAGE])).ok) return true;
  return (await progress.during(`pulling ${IMAGE}`, () => runCommand('docker', ['pull', '--quiet', IMAGE]))).ok;
};

/** Starts it, or returns undefined where there is no engine or the image cannot be had. */
export const startDockerPostgres = async ({ logs, progress }) => {
  if (!(await hasImage(progress))) return undefined;
  const port = await freePort();
  const password = randomBytes(16).toString('hex');
  const name = `tempera-test-${randomBytes(4).toString('hex')}`;
  const settings = Object.entries(THROWAWAY).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const logFile = join(logs, 'docker-postgres.log');
  const child = await startChild({
    name: 'Docker Postgres',
    command: 'docker',
    // The password goes by name, through the environment: arguments are for everybody to read.
    args: [
      'run',
      '--rm',
      '--name',
      name,
      '-e',
      'POSTGRES_PASSWORD',
      '-p',
      `127.0.0.1:${port}:5432`,
      IMAGE,
      ...settings,
    ],
    env: { ...process.env, POSTGRES_PASSWORD: password },
    logFile,
    stopSignals: ['SIGINT', 'SIGTERM'],
  });
  // Over TCP inside the container: while the image initialises itself it listens on its socket only.
  const ask = ['exec', name, 'pg_isready', '-q', '-h', '127.0.0.1', '-U', 'postgres'];
  const ready = await waitUntil(async () => (await runCommand('docker', ask)).ok, {
    timeoutMs: 60_000,
    everyMs: 250,
    whileAlive: child.isAlive,
  });
  if (!ready) {
    await child.stop();
    progress.say(`  database: the Docker image did not start (${child.lastWords(1)}); taking the next choice`);
    return undefined;
  }
  const adminUrl = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  return { adminUrl, description: `the Docker image ${IMAGE}`, child, stop: () => child.stop() };
};
