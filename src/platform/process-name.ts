import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { ownProcess } from './own-process.ts';

/** Returns a name for this process that no other process of the same store has: machine, process ID and a random part. */
export function processName(): string {
  return `${hostname()}-${ownProcess.pid}-${randomBytes(2).toString('hex')}`;
}
