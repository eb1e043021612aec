import { readFileSync } from 'node:fs';
import { cpuUsage } from 'node:process';

/** Processor time of this process in seconds; on Linux including the ended processes that it started. */
export function processorSeconds(): number {
  try {
    // Fields 14 to 17 of proc(5), in hundredths of a second; a number and a name in parentheses come before them.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    const { user, system } = cpuUsage();
    return (user + system) / 1e6;
  }
}

/** Processor time of a running process in seconds. Linux only. */
export function processorSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return fields.slice(11, 13).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
