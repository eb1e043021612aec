export type ColorFlag = 'auto' | 'always' | 'never';

/**
 * Returns whether a stream gets colors. Precedence: `--color`, NO_COLOR, CLICOLOR_FORCE, CLICOLOR=0, TERM=dumb;
 * otherwise terminals get colors.
 */
export function wantsColor(
  flag: ColorFlag | undefined,
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (flag === 'always') return true;
  if (flag === 'never') return false;
  if (env['NO_COLOR']) return false;
  const force = env['CLICOLOR_FORCE'];
  if (force && force !== '0') return true;
  if (env['CLICOLOR'] === '0') return false;
  if (env['TERM'] === 'dumb') return false;
  return isTerminal;
}
