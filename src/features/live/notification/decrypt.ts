import { createDecipheriv } from 'node:crypto';
import type { Subscription } from '../../../contract/subscription.ts';

/**
 * Decrypts base64-encoded AES-128-ECB ciphertext with PKCS#7 padding, the form of encrypted notifications (CHANNEL-3).
 * Returns undefined if the key is wrong.
 * @param key base64 of 16 bytes.
 */
export function decrypt(text: string, key: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-128-ecb', Buffer.from(key, 'base64'), null);
    return Buffer.concat([decipher.update(text, 'base64'), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/**
 * Returns the keys to try: the key of the updated subscription, then the previous key for notifications that were sent
 * before the update.
 */
export function keysWith(known: readonly string[], updated: Subscription): readonly string[] {
  const { encryptionKey } = updated.deliveryMode;
  const previous = known.filter((key) => key !== encryptionKey).slice(0, 1);
  return encryptionKey === undefined ? previous : [encryptionKey, ...previous];
}
