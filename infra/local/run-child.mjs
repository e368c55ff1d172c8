#!/usr/bin/env node
// The keeper of one child process. It ends the child when its own standard input closes, which happens when whoever
// started it asks for that, exits, or is killed with SIGKILL: the kernel closes a dead process's pipes, so nothing is
// left behind. (Polling the parent's id would miss a reused id; prctl is not reachable from Node.)
// Usage: run-child.mjs <JSON: {command, args, cwd, uid, gid, logFile, pidFile, stopSignals, graceMs, remove}>
import { spawn } from 'node:child_process';
import { openSync, rmSync, writeFileSync } from 'node:fs';
import { commandOf } from './processes.mjs';

const plan = JSON.parse(process.argv[2] ?? '{}');
// What a child writes (Temporal's database, for one) is for its owner.
process.umask(0o077);
const log = openSync(plan.logFile, 'a', 0o600);
const identity = plan.uid === undefined ? {} : { uid: plan.uid, gid: plan.gid };

// A group of its own, so that what the child starts can be ended with it, and a terminal's Ctrl-C does not reach it:
// the starter stops its children in order.
const child = spawn(plan.command, plan.args, {
  cwd: plan.cwd,
  stdio: ['ignore', log, log],
  detached: true,
  ...identity,
});

const tell = (message) => {
  try {
    process.stdout.write(`${JSON.stringify(message)}\n`);
  } catch {
    // Nobody listens any more.
  }
};

const signalGroup = (signal) => {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
};

const leave = (code, signal, error) => {
  signalGroup('SIGKILL');
  if (plan.pidFile) rmSync(plan.pidFile, { force: true });
  for (const folder of plan.remove) rmSync(folder, { recursive: true, force: true });
  tell({ exited: { code, signal, error } });
  process.exitCode = code ?? 1;
  process.stdin.destroy();
};

let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  const signals = [...plan.stopSignals, 'SIGKILL'];
  const next = () => {
    const signal = signals.shift();
    if (!signal) return;
    if (signal === 'SIGKILL') signalGroup('SIGKILL');
    else child.kill(signal);
    setTimeout(next, plan.graceMs).unref();
  };
  next();
};

process.stdout.on('error', () => {});
child.once('error', (error) => leave(127, null, error.message));
child.once('exit', (code, signal) => leave(code, signal));
child.once('spawn', () => {
  if (plan.pidFile) writeFileSync(plan.pidFile, `${child.pid}\n${commandOf(child.pid)}\n`, { mode: 0o600 });
  tell({ pid: child.pid });
});
process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
