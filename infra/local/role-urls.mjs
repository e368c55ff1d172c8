// The connections of each database role. `migrate` makes them (with random passwords) on the first start; the server may
// answer on another port the next time.
import { existsSync } from 'node:fs';
import { readJson, writeJson } from './json-file.mjs';

/** `url` with the server and database of `adminUrl`, its own user and password kept. */
export const rebaseUrl = (url, adminUrl) => {
  const role = new URL(url);
  const rebased = new URL(adminUrl);
  rebased.username = role.username;
  rebased.password = role.password;
  return rebased.href;
};

/** Points every connection in `file` at the server of `adminUrl`; nothing to do while there is no file. */
export const rebaseRoles = (file, adminUrl) => {
  if (!existsSync(file)) return;
  const roles = readJson(file, {});
  const rebased = Object.fromEntries(Object.entries(roles).map(([role, url]) => [role, rebaseUrl(url, adminUrl)]));
  if (JSON.stringify(rebased) !== JSON.stringify(roles)) writeJson(file, rebased);
};
