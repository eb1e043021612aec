import { randomInt } from 'node:crypto';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 22 letters of 62 are 131 bits: not to be guessed. */
const length = 22;

/** A path that only the service learns. */
export function secretPath(): string {
  return `/hook/${Array.from({ length }, () => letters[randomInt(letters.length)]).join('')}`;
}
