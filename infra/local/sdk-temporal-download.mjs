#!/usr/bin/env node
// Lets the Temporal SDK fetch the command line it was made for: sdk-temporal-download.mjs <folder>
// It only downloads by starting a server, so one is started and ended at once.
import { TestWorkflowEnvironment } from '@temporalio/testing';

const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir: process.argv[2] } },
});
await environment.teardown();
