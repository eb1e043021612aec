import { parseBaseUrl } from '../platform/base-url.ts';
import type { Settings } from '../runtime/settings.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';

/**
 * Returns the base URL of this run.
 * @throws {CommandError} `no_base_url` (exit 2) if no flag, variable or profile sets the base URL.
 */
export function requireBaseUrl(settings: Settings): URL {
  const { baseUrl, profile } = settings;
  if (baseUrl.value === undefined) {
    throw new CommandError('no_base_url', Exit.usage, `profile "${profile.value}" has no base URL`, {
      hint: nextStep`${ucctl('login --base-url URL')}, or set UCCTL_BASE_URL; without an account: ${ucctl('sandbox start')}`,
    });
  }
  return parseBaseUrl(baseUrl.value);
}
