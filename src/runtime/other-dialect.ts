import { type CommandError, usageError } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import { isLoopback } from '../platform/base-url.ts';
import type { Settings } from './settings.ts';

type ServiceSettings = Pick<Settings, 'dialect' | 'baseUrl'>;

/** Returns the error for a command that the dialect of the profile does not have. */
export function otherDialect(
  path: readonly string[],
  needed: string,
  settings: ServiceSettings,
): CommandError {
  return usageError(
    `${path.join(' ')} is not available in dialect ${settings.dialect.value}`,
    stepToDialect(needed, settings, 'this command'),
  );
}

/**
 * Returns the next step to use `what`, which another dialect has. The setting is only suggested if it may be wrong, because the
 * service has one dialect.
 */
export function stepToDialect(needed: string, { dialect, baseUrl }: ServiceSettings, what: string): Hint {
  const { value: url } = baseUrl;
  const isKnown = dialect.origin !== 'default';
  if (isKnown && url !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname)) {
    const start = ucctl`sandbox start --dialect ${needed}`;
    if (dialect.origin === 'flag')
      return nextStep`if this sandbox has dialect ${needed}, use --dialect ${needed}; otherwise start a sandbox of dialect ${needed}: ${start}`;
    const age = needed === 'current' ? 'older' : 'current';
    return nextStep`this sandbox has the interface of ${age} services; start a sandbox of dialect ${needed}: ${start}`;
  }
  return dialect.origin === 'profile'
    ? nextStep`according to the profile, the service has dialect ${dialect.value}, which does not have ${what}; if the service has changed: ${ucctl`config set dialect ${needed}`}`
    : nextStep`if your service uses dialect ${needed}: ${ucctl`config set dialect ${needed}`}`;
}
