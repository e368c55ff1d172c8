// Postgres refuses to run as root. Where this process is root (a container, a build machine), it runs as somebody else.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Not "postgres" first: that account may own the machine's own clusters, and our superuser can start programs as it.
const CANDIDATES = ['nobody', 'daemon', 'postgres'];

/** The passwd entry of `name` as {name, uid, gid}, or undefined. */
export const findUser = (name, passwd) => {
  const fields = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find((entry) => entry[0] === name);
  return fields ? { name, uid: Number(fields[2]), gid: Number(fields[3]) } : undefined;
};

/**
 * Who the database server should run as: undefined = as this process.
 * @returns {{name: string, uid: number, gid: number} | undefined}
 */
export const serverUser = () => {
  if (process.getuid?.() !== 0) return undefined;
  // initdb looks its user up by name, so an id without an entry will not do.
  const passwd = readFileSync('/etc/passwd', 'utf8');
  for (const name of CANDIDATES) {
    const user = findUser(name, passwd);
    if (user && user.uid !== 0) return user;
  }
  throw new Error('this process is root, and the machine has no unprivileged user to run Postgres as');
};

/** Whether `user` can enter `folder`; asked of the system itself, so that groups and access lists count. */
export const canEnter = (user, folder) =>
  spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], user ? { uid: user.uid, gid: user.gid } : {}).status === 0;
