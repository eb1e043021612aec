import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Context } from '../../../runtime/context.ts';
import { messageOf, usageError } from '../../../errors/command.ts';
import { fileFailureReason } from '../../../platform/file-failure.ts';

/**
 * Reads the PEM files of `--tls-cert` and `--tls-key`.
 * @throws {CommandError} `usage` for missing, unreadable or invalid files.
 */
export async function readTls(
  ctx: Context,
  cert: string | undefined,
  key: string | undefined,
): Promise<{ readonly cert: string; readonly key: string } | undefined> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw usageError(
      cert === undefined ? '--tls-key requires --tls-cert' : '--tls-cert requires --tls-key',
      'specify a PEM certificate and its private key',
    );
  const read = (file: string): Promise<string> =>
    readFile(resolve(ctx.cwd, file), 'utf8').catch((cause: unknown) => {
      throw usageError(
        `cannot read ${file}: ${fileFailureReason(cause)}`,
        'specify a PEM certificate and its private key',
      );
    });
  const tls = { cert: await read(cert), key: await read(key) };
  try {
    // The files are checked here, so that an invalid file or a wrong key causes a clear message.
    createSecureContext(tls);
    return tls;
  } catch (error) {
    throw usageError(
      `cannot use the certificate ${cert} with the key ${key}: ${messageOf(error)}`,
      'specify a PEM certificate and its private key',
    );
  }
}
