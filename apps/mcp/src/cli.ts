#!/usr/bin/env node
import { Console } from 'node:console';
import process from 'node:process';

// Whatever a library prints must not end up between the protocol's messages.
globalThis.console = new Console(process.stderr, process.stderr);

const words = process.argv.slice(2);
const [first, second = ''] = words;

// A client waits for its hooks, so they load nothing of the command line.
if (first === 'hook' && !second.startsWith('-') && second !== '') {
  const { hookMain } = await import('./hooks/hook-cli.js');
  await hookMain(second);
} else {
  const { processWorld } = await import('./config/process-world.js');
  const { runProgram } = await import('./program.js');
  // A reader that closes its pipe early (`tempera retrieve … | head`) is no fault.
  process.stdout.on('error', (error) => {
    if (Reflect.get(error, 'code') === 'EPIPE') process.exit(0);
    throw error;
  });
  const exitCode = await runProgram(words, processWorld(), process);
  // Let what was written reach a slow pipe, then leave: an idle connection must not keep the process.
  process.stdout.write('', () => process.exit(exitCode));
}
