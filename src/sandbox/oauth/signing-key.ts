import { checkPrimeSync, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** Bits of each of the two primes of an RSA key of 2048 bits. */
const primeBits = 1024;
const exponent = 65_537n;
/**
 * Distances between `candidateOf` and the first prime, for the default seed. To find the two primes takes 40 to 75 ms of
 * processor time.
 */
const knownDistances: ReadonlyMap<string, bigint> = new Map([
  ['42:p', 154n],
  ['42:q', 288n],
]);

/** The key pair that signs and checks assertions of the jwt-bearer grant. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const made = new Map<number, SigningKey>();

/**
 * Derived from the seed on first use, so that all sandboxes of a seed accept the same assertions. It is not a secret.
 */
export function signingKey(seed: number): SigningKey {
  const known = made.get(seed);
  if (known) return known;
  const p = prime(`${seed}:p`);
  const q = prime(`${seed}:q`);
  const n = p * q;
  const d = inverse(exponent, (p - 1n) * (q - 1n));
  const numbers = { n, e: exponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const key = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, base64url(value)]));
  const privateKey = createPrivateKey({ key: { kty: 'RSA', ...key }, format: 'jwk' });
  const pair = { privateKey, publicKey: createPublicKey(privateKey) };
  made.set(seed, pair);
  return pair;
}

function prime(text: string): bigint {
  const start = candidateOf(text);
  const known = knownDistances.get(text);
  return known === undefined ? nextPrime(start) : start + known;
}

/** Returns an odd number derived from the text. Its two highest bits are set, so that the product has full length. */
function candidateOf(text: string): bigint {
  const blocks = [0, 1, 2, 3].map((index) => createHash('sha256').update(`${text}:${index}`).digest('hex'));
  const high = 3n << BigInt(primeBits - 2);
  return BigInt(`0x${blocks.join('')}`) | high | 1n;
}

function nextPrime(start: bigint): bigint {
  let candidate = start;
  while (candidate % exponent === 1n || !checkPrimeSync(candidate, { checks: 20 })) candidate += 2n;
  return candidate;
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, last] = [modulus, value % modulus];
  let [before, factor] = [0n, 1n];
  while (last > 1n) {
    const quotient = rest / last;
    [rest, last] = [last, rest - quotient * last];
    [before, factor] = [factor, before - quotient * factor];
  }
  return ((factor % modulus) + modulus) % modulus;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
}
