import { createHash } from 'node:crypto';
import { readFileSync, statSync, type Stats } from 'node:fs';
import { CommandError, Exit, usageError } from '../errors/command.ts';
import { ucctl } from '../errors/hint.ts';
import { ownProcess } from '../platform/own-process.ts';
import { decrypt, encrypt } from './encrypted-item.ts';
import { UndecryptableItemError } from './token-store.ts';
import { fileFailureReason } from '../platform/file-failure.ts';
import { shellQuoted } from '../platform/shell-quoted.ts';

const keyBytes = 32;
const howToMake = 'create a key with: openssl rand -base64 32';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the key that encrypts sessions in the store. The store never sees it. @throws {CommandError} `usage` (exit
 * 2).
 */
export function storeKey(env: Environment): Buffer {
  const text = env['UCCTL_STORE_KEY'];
  if (text) return keyIn(text, 'UCCTL_STORE_KEY');
  const file = env['UCCTL_STORE_KEY_FILE'] ?? '';
  try {
    if (ownProcess.userId !== undefined && isReadableByOthers(statSync(file)))
      throw usageError(`other users can read the key file ${file}`, `chmod 600 ${shellQuoted(file)}`);
    return keyIn(readFileSync(file, 'utf8'), `the key file ${file}`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw usageError(
      `cannot read the key file ${file} (UCCTL_STORE_KEY_FILE): ${fileFailureReason(error)}`,
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? howToMake
        : 'check the path, and the owner and mode of the file',
    );
  }
}

/**
 * The rule of libpq for keys: the group may read a file of root, because systemd (LoadCredential) and Kubernetes provide
 * secrets in this way.
 */
function isReadableByOthers({ mode, uid }: Stats): boolean {
  return (mode & (uid === 0 ? 0o037 : 0o077)) !== 0;
}

function keyIn(text: string, source: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === keyBytes) return key;
  throw usageError(`${source} is not a valid key: it must have ${keyBytes} bytes in base64`, howToMake);
}

/** Encrypts an item, with a mark of the key so that a wrong key has its own error. */
export function encryptForStore(text: string, key: Buffer, item: string): string {
  return `1:${markOf(key)}:${encrypt(text, key, item)}`;
}

/**
 * Decrypts an item. @throws {CommandError} `store_key` (exit 12) if the item was encrypted with another key, or was
 * changed.
 */
export function decryptFromStore(encrypted: string, key: Buffer, item: string): string {
  const [version, mark, text = ''] = encrypted.split(':');
  const what = `the session "${item}" in the store`;
  if (version !== '1') throw problem(`${what} was stored by another version of ucctl`);
  if (mark !== markOf(key)) throw problem(`${what} was encrypted with another key`);
  try {
    return decrypt(text, key, item);
  } catch (error) {
    throw problem(`${what} is damaged or has been changed`, error);
  }
}

function problem(message: string, cause?: unknown): UndecryptableItemError {
  const hint = [
    'use the key of the machine that signed in (UCCTL_STORE_KEY), or sign in again: ',
    ucctl('login'),
  ];
  return new UndecryptableItemError('store_key', Exit.local, message, { hint, cause });
}

function markOf(key: Buffer): string {
  return createHash('sha256').update('ucctl store key').update(key).digest('hex').slice(0, 8);
}
