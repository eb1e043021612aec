import { usageError } from '../../errors/command.ts';
import type { ClockMode } from '../../sandbox/index.ts';

/** Reads `--clock`. @throws {CommandError} `usage`. */
export function readClock(text: string): ClockMode {
  if (text === 'real' || text === 'frozen') return text;
  const speed = /^(\d+(?:\.\d+)?)x$/.exec(text)?.[1];
  if (speed !== undefined && Number(speed) > 0) return `${Number(speed)}x`;
  throw usageError(`--clock: "${text}" is not a valid clock`, 'use real, frozen or a speed such as 60x');
}
