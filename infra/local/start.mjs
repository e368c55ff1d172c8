#!/usr/bin/env node
// `npm start`: everything the service stands on, then the service, from a bare clone. Runs before `npm install`, so
// this folder's .mjs files use Node's own modules only.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 20)) {
  console.error(`Node 20.20 or newer is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
if (process.platform === 'win32') {
  console.error('Windows itself is not supported; use WSL (or docker compose).');
  process.exit(1);
}
const args = process.argv.slice(2);
if (args.length > 0) {
  const { START_USAGE } = await import('./start-usage.mjs');
  const asked = args.every((arg) => arg === '--help' || arg === '-h');
  if (asked) console.log(START_USAGE);
  else console.error(`npm start takes no arguments (${args.join(' ')}).\n\n${START_USAGE}`);
  process.exit(asked ? 0 : 2);
}
// Only now: an older Node would stumble over the syntax before it could say so.
const { main } = await import('./start-service.mjs');
await main();
