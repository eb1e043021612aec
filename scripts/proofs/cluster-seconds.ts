import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Processor time in seconds of a PostgreSQL server and its processes, also of those that ended. Linux only. */
export function clusterSeconds(data: string): number {
  const server = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), fields: statOf(name) }));
  return stats.reduce((sum, { pid, fields }) => {
    const [, parent, ...rest] = fields;
    // Fields 14 to 17 of proc(5), in hundredths of a second: own times, then those of ended children.
    const times = rest.slice(9, pid === server ? 13 : 11).map(Number);
    return pid === server || Number(parent) === server
      ? sum + times.reduce((all, ticks) => all + ticks, 0) / 100
      : sum;
  }, 0);
}

/** The fields of a process after its name. */
function statOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}
