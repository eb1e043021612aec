import { hash } from 'node:crypto';
import type { MetaStore } from './meta-store.ts';

const key = 'random.counter';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * The only source of randomness, a hash of the seed and a counter. The counter is stored in the same transaction, so
 * that a sandbox continues the sequence after it was killed.
 */
export class Random {
  readonly #seed: number;
  readonly #meta: MetaStore;
  #counter: number;
  #stored: number;

  constructor(seed: number, meta: MetaStore) {
    this.#seed = seed;
    this.#meta = meta;
    this.#counter = meta.number(key) ?? 0;
    this.#stored = this.#counter;
  }

  /** Returns random bytes, at most 32. */
  bytes(length: number): Buffer {
    this.#counter += 1;
    return hash('sha256', `${this.#seed}:${this.#counter}`, 'buffer').subarray(0, length);
  }

  /** Returns 192 random bits as letters, digits, `-` and `_`. */
  token(): string {
    return Array.from(this.bytes(32), (byte) => letters.charAt(byte % letters.length)).join('');
  }

  uuid(): string {
    const hex = this.bytes(16).toString('hex');
    const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** Returns an integer from 0 to `limit` - 1; `limit` is at least 1. */
  below(limit: number): number {
    return this.bytes(4).readUInt32BE(0) % Math.max(limit, 1);
  }

  /** Returns a number of exactly `count` digits, as text because it may exceed the exact integers of a double. */
  digits(count: number): string {
    const all = BigInt(`0x${this.bytes(16).toString('hex')}`).toString();
    return `8${all.padStart(count, '0').slice(-(count - 1))}`;
  }

  /** Stores the counter. The world calls this before each commit, so that counter and data are committed together. */
  save(): void {
    if (this.#counter === this.#stored) return;
    this.#meta.set(key, String(this.#counter));
    this.#stored = this.#counter;
  }

  /** Called after a rollback. */
  restore(): void {
    this.#counter = this.#meta.number(key) ?? 0;
    this.#stored = this.#counter;
  }
}
