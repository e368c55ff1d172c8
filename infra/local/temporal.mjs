// The Temporal server `npm start` uses: the configured one, else a dev server with its state in a file.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './children.mjs';
import { runCommand } from './command.mjs';
import { startFailure } from './failures.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { accepts, freePort, parsePort } from './ports.mjs';
import { SettingError } from './setting-error.mjs';
import { temporalProgram } from './temporal-program.mjs';
import { waitUntil } from './wait-until.mjs';

const READY_TIMEOUT_MS = 60_000;

/** The configured server, once it answers. @throws {SettingError} when it does not */
export const configuredTemporal = async (address, timeoutMs = 5_000) => {
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  const advice = 'Set TEMPORAL_ADDRESS to host:port of a running server, or unset it.';
  if (!host) throw new SettingError(`"${address}" is no address.`, 'TEMPORAL_ADDRESS', advice);
  if (!(await accepts({ host, port: parsePort(port, 'TEMPORAL_ADDRESS') }, timeoutMs))) {
    throw new SettingError(`No Temporal server answers at ${address}.`, 'TEMPORAL_ADDRESS', advice);
  }
  return { address, description: `the configured server, ${address}`, stop: async () => {} };
};

const launch = async ({ program, data, run, logs, port, namespace }) => {
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)];
  // Without a file the server forgets its schedules with every stop.
  args.push('--db-filename', join(data, 'temporal.db'), '--namespace', namespace, '--log-level', 'error');
  return startChild({
    name: 'Temporal',
    command: program,
    args,
    logFile: join(logs, 'temporal.log'),
    pidFile: join(run, 'temporal.pid'),
    stopSignals: ['SIGINT', 'SIGTERM'],
  });
};

const hasNamespace = async (program, address, namespace) => {
  const args = ['operator', 'namespace', 'describe', '--namespace', namespace, '--address', address];
  return (await runCommand(program, args, { timeoutMs: 10_000 })).ok;
};

/**
 * @param {{env: NodeJS.ProcessEnv, data: string, cache: string, run: string, logs: string, namespace: string,
 *   progress: object, installed: Promise<void>}} options
 * @returns {Promise<{address: string, description: string, child?: object, stop: () => Promise<void>}>}
 */
export const startTemporal = async ({ env, data, cache, run, logs, namespace, progress, installed }) => {
  if (env.TEMPORAL_ADDRESS) return configuredTemporal(env.TEMPORAL_ADDRESS);
  const program = await temporalProgram({ cache, progress, installed });
  mkdirSync(data, { recursive: true });
  const memory = join(data, 'temporal.json');
  const port = await freePort(readJson(memory, {}).port);
  const child = await launch({ program: program.path, data, run, logs, port, namespace });
  const address = `127.0.0.1:${port}`;
  const ready = await waitUntil(
    async () => (await accepts({ port })) && (await hasNamespace(program.path, address, namespace)),
    { timeoutMs: READY_TIMEOUT_MS, everyMs: 100, whileAlive: child.isAlive },
  );
  if (!ready) {
    await child.stop();
    throw startFailure(child);
  }
  writeJson(memory, { port });
  return { address, description: `a dev server from ${program.description}, ${address}`, child, stop: child.stop };
};
