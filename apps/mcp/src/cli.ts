#!/usr/bin/env node
import { Console } from 'node:console';
import process from 'node:process';
import { processWorld } from './config/process-world.js';
import { runProgram } from './program.js';

// Whatever a library prints must not end up between the protocol's messages.
globalThis.console = new Console(process.stderr, process.stderr);

// A reader that closes its pipe early (`tempera retrieve … | head`) is no fault.
process.stdout.on('error', (error) => {
  if (Reflect.get(error, 'code') === 'EPIPE') process.exit(0);
  throw error;
});

const exitCode = await runProgram(process.argv.slice(2), processWorld(), process);
// Let what was written reach a slow pipe, then leave: an idle connection must not keep the process.
process.stdout.write('', () => process.exit(exitCode));
