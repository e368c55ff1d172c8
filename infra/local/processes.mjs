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
