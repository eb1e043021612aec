import { usageError } from '../errors/command.ts';
import { settingKeys } from './setting-keys.ts';

/** Checks the values of `--redirect-uri`. @throws {CommandError} `usage` (exit 2). */
export function readRedirectUris(uris: readonly string[]): readonly string[] {
  try {
    return settingKeys.redirectUris.check(uris);
  } catch (error) {
    throw usageError(`--redirect-uri: ${(error as Error).message}`);
  }
}
