import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Context } from '../../../runtime/context.ts';
import { messageOf, usageError } from '../../../errors/command.ts';

/** Reads `--tls-cert` and `--tls-key`, PEM files. @throws {CommandError} `usage`. */
export async function readTls(
  ctx: Context,
  cert: string | undefined,
  key: string | undefined,
): Promise<{ readonly cert: string; readonly key: string } | undefined> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw usageError('--tls-cert and --tls-key go together');
  try {
    const read = (file: string): Promise<string> => readFile(resolve(ctx.cwd, file), 'utf8');
    const tls = { cert: await read(cert), key: await read(key) };
    // Says now, and in words, what is no certificate or not its key.
    createSecureContext(tls);
    return tls;
  } catch (error) {
    throw usageError(`the certificate cannot be used: ${messageOf(error)}`);
  }
}
