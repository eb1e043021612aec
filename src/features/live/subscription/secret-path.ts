import { randomInt } from 'node:crypto';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 22 letters of 62 are 131 bits: not to be guessed. */
const length = 22;
const secret = new RegExp(`/hook/[${letters}]{${length}}$`);

/** A path that only the service learns. */
export function secretPath(): string {
  return `/hook/${Array.from({ length }, () => letters[randomInt(letters.length)]).join('')}`;
}

/** Whether an address ends in such a path, and thus is nobody else's. */
export function hasSecretPath(address: string | undefined): boolean {
  return address !== undefined && secret.test(address);
}
