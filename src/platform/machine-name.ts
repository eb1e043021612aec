import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Returns the name of the place where process IDs of this process are valid: the host name, and on Linux a hash of the
 * boot and of the container, because containers may share a host name.
 */
export function machineName(): string {
  const parts = [
    read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    read(() => readlinkSync('/proc/self/ns/pid')),
  ];
  const mark = createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 8);
  return `${hostname()}/${mark}`;
}

function read(work: () => string): string {
  try {
    return work().trim();
  } catch {
    return '';
  }
}
