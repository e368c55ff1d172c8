import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The logins of an instance, by the name under which the roles file keeps their URLs. */
export const loginRoles = {
  app: 'mem_app',
  worker: 'mem_worker',
  text: 'mem_text',
  operator: 'mem_operator',
  migrator: 'mem_migrator',
} as const;

/** Name of a login in the roles file. */
export type LoginName = keyof typeof loginRoles;

/** A connection URL, password included, for each login. */
export type RoleUrls = Readonly<Record<LoginName, string>>;

const names = Object.keys(loginRoles) as LoginName[];

/** URLs of the logins in the database of `adminUrl`, each with the password that `passwordOf` gives it. */
export const roleUrlsFor = (adminUrl: string, passwordOf: (role: string) => string): RoleUrls => {
  const urlOf = (name: LoginName): string => {
    const url = new URL(adminUrl);
    url.username = loginRoles[name];
    url.password = passwordOf(loginRoles[name]);
    return url.href;
  };
  return {
    app: urlOf('app'),
    worker: urlOf('worker'),
    text: urlOf('text'),
    operator: urlOf('operator'),
    migrator: urlOf('migrator'),
  };
};

/** @throws Error naming the file when it does not hold a URL for each login */
export const readRolesFile = (path: string): RoleUrls => {
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
  for (const name of names) {
    const url: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined;
    if (typeof url !== 'string' || !URL.canParse(url))
      throw new Error(`${path} holds no connection URL for "${name}".`);
  }
  return parsed as RoleUrls;
};

/**
 * The logins of an instance from its roles file, which is made with random passwords where there is none. An existing
 * file wins: its passwords are given to the roles. Readable by its owner alone.
 */
export const openRolesFile = (path: string, adminUrl: string): RoleUrls => {
  if (existsSync(path)) return readRolesFile(path);
  const urls = roleUrlsFor(adminUrl, () => randomBytes(24).toString('base64url'));
  writeFileSync(path, `${JSON.stringify(urls, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return urls;
};

const variables: Readonly<Record<LoginName, string>> = {
  app: 'DATABASE_APP_URL',
  worker: 'DATABASE_WORKER_URL',
  text: 'DATABASE_TEXT_URL',
  operator: 'DATABASE_OPERATOR_URL',
  migrator: 'DATABASE_MIGRATOR_URL',
};

/**
 * The logins of an instance whose secrets come from outside, as URLs in the environment; undefined where none is set.
 * @throws Error naming the variables that are missing or no URL, where only some are there
 */
export const rolesFromEnvironment = (env: Readonly<Record<string, string | undefined>>): RoleUrls | undefined => {
  const others = names.filter((name) => name !== 'migrator');
  if (others.every((name) => !env[variables[name]])) return undefined;
  const wrong = names.filter((name) => !URL.canParse(env[variables[name]] ?? '')).map((name) => variables[name]);
  if (wrong.length > 0) throw new Error(`Set ${wrong.join(', ')} to postgresql:// addresses, or none of the logins.`);
  return Object.fromEntries(names.map((name) => [name, env[variables[name]]])) as unknown as RoleUrls;
};
