import { randomInt } from 'node:crypto';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Number of characters of a secret path: 22 characters of an alphabet of 62 have 131 bits of entropy. */
const length = 22;
const secret = new RegExp(`/hook/[${letters}]{${length}}$`);

/** Generates a random path, which only the service receives. */
export function secretPath(): string {
  return `/hook/${Array.from({ length }, () => letters[randomInt(letters.length)]).join('')}`;
}

/** Whether an address ends in a secret path, and therefore belongs to one run of ucctl. */
export function hasSecretPath(address: string | undefined): boolean {
  return address !== undefined && secret.test(address);
}
