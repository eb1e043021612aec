import { createDecipheriv } from 'node:crypto';
import type { Subscription } from '../../../contract/subscription.ts';

/**
 * Decrypts base64 of AES-128-ECB with PKCS#7 padding, the form of encrypted notifications (CHANNEL-3). Undefined when the key does not fit.
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

/** The keys that notifications may be encrypted with now: that of the latest copy of the subscription, then the one before, for what is under way. */
export function keysWith(known: readonly string[], copy: Subscription): readonly string[] {
  const { encryptionKey } = copy.deliveryMode;
  const former = known.filter((key) => key !== encryptionKey).slice(0, 1);
  return encryptionKey === undefined ? former : [encryptionKey, ...former];
}
