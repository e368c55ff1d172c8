// What other processes on this machine are; only asked about ids that a file of ours names.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The command line of a process, or '' if there is none with that id. */
export const commandOf = (pid) => {
  if (!Number.isInteger(pid) || pid < 2) return '';
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    } catch {
      return '';
    }
  }
  return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
};

// A container's image may have no `ps`, and only Linux has /proc.
const parentId = (pid) => {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? 0);
  }
};

/** Who started a process; `pid` 0 and no command where that cannot be told. */
export const parentOf = (pid) => {
  const parent = parentId(pid);
  return { pid: parent, command: commandOf(parent) };
};
