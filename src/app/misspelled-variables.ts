import type { SettingKey } from '../config/index.ts';
import type { Output } from '../runtime/output.ts';

/** Frequent variables that are not settings. For other variables, the list of the help is loaded. */
const frequent: ReadonlySet<string> = new Set([
  'UCCTL_PROFILE',
  'UCCTL_TOKEN',
  'UCCTL_CLIENT_SECRET',
  'UCCTL_STORE_KEY',
  'UCCTL_STORE_KEY_FILE',
  'UCCTL_CONFIG_DIR',
  'UCCTL_STATE_DIR',
  'UCCTL_CACHE_DIR',
  'UCCTL_DATA_DIR',
]);

const prefix = 'UCCTL_';
/** Variables of the tests and measurements of this project. */
const ofProject = /^UCCTL_((TEST|BENCH|PROOF)_|(LOADED|SCREENSHOTS)$)/;

/**
 * Writes a warning for each variable with the prefix of ucctl that is unknown but similar to a known one. Otherwise, a
 * misspelled policy would have no effect, and nobody would notice.
 */
export async function warnOfMisspelled(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly Pick<SettingKey, 'variable'>[],
  out: Pick<Output, 'warn'>,
): Promise<void> {
  const names = Object.keys(env).filter(
    (name) =>
      name.startsWith(prefix) &&
      !frequent.has(name) &&
      !settings.some(({ variable }) => variable === name) &&
      !ofProject.test(name),
  );
  if (names.length === 0) return;
  const [{ environment }, { suggest }] = await Promise.all([
    import('../cli/topics/environment.ts'),
    import('../platform/suggest.ts'),
  ]);
  const known = environment.flatMap(([name]) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  for (const name of names) {
    const typed = name.slice(prefix.length);
    const near = known.includes(typed) ? [] : suggest(typed, known);
    if (near.length === 0) continue;
    const meant = near.map((one) => prefix + one).join(' or ');
    out.warn(`the variable ${name} has no effect. Did you mean ${meant}?`);
  }
}
