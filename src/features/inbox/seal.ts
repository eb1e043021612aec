import { createDecipheriv } from 'node:crypto';

/**
 * Opens base64 of AES-128-ECB with PKCS#7 padding, as encrypted notifications come (facts 1.4). Undefined when the key does not fit.
 * @param key base64 of 16 bytes.
 */
export function unseal(text: string, key: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-128-ecb', Buffer.from(key, 'base64'), null);
    return Buffer.concat([decipher.update(text, 'base64'), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
