import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** What the keychain holds when the item itself is too large for it: the key of a file beside the other sessions. */
interface SealKey {
  readonly sealed: 1;
  readonly key: string;
}

/** Reads the key of a sealed item. */
export function parseSealKey(text: string): Buffer {
  const { key } = JSON.parse(text) as SealKey;
  return Buffer.from(key, 'base64');
}

/** A new key of 256 bits. */
export function newSealKey(): Buffer {
  return randomBytes(32);
}

/** A key as `parseSealKey` reads it. */
export function sealKeyText(key: Buffer): string {
  const value: SealKey = { sealed: 1, key: key.toString('base64') };
  return JSON.stringify(value);
}

/** AES-256-GCM under a new nonce each time; `item` is bound to it, so that files cannot be exchanged. */
export function seal(text: string, key: Buffer, item: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(item));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

/** @throws when the key is another one or the file was changed. */
export function unseal(sealed: string, key: Buffer, item: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, nonceBytes);
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(item)).setAuthTag(tag);
  const body = bytes.subarray(nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
