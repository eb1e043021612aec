import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * The key of an encrypted file, which the keychain stores instead of an item that is too large. `sealed` marks the
 * format.
 */
interface EncryptionKey {
  readonly sealed: 1;
  readonly key: string;
}

/** Reads the key of an encrypted item. */
export function parseEncryptionKey(text: string): Buffer {
  const { key } = JSON.parse(text) as EncryptionKey;
  return Buffer.from(key, 'base64');
}

/** Returns a new key of 256 bits. */
export function newEncryptionKey(): Buffer {
  return randomBytes(32);
}

/** Serializes a key in the format that `parseEncryptionKey` reads. */
export function encryptionKeyText(key: Buffer): string {
  const value: EncryptionKey = { sealed: 1, key: key.toString('base64') };
  return JSON.stringify(value);
}

/** Encrypts with AES-256-GCM and a new nonce. `item` is also authenticated, so that nobody can exchange files. */
export function encrypt(text: string, key: Buffer, item: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(item));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

/** Decrypts a text. @throws if the key is wrong or the text was changed. */
export function decrypt(encrypted: string, key: Buffer, item: string): string {
  const bytes = Buffer.from(encrypted, 'base64');
  const nonce = bytes.subarray(0, nonceBytes);
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, key, nonce).setAAD(Buffer.from(item)).setAuthTag(tag);
  const body = bytes.subarray(nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
