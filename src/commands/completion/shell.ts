import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import type { Shell } from './scripts/index.ts';

/**
 * Returns the named shell, or the login shell of the user.
 * @throws {CommandError} `usage` if completion does not support it.
 */
export function shellOf(env: Context['env'], named: Shell | undefined): Shell {
  if (named) return named;
  const name = (env['SHELL'] ?? '').split('/').at(-1);
  if (name === 'bash' || name === 'zsh' || name === 'fish') return name;
  if (!name && env['PSModulePath'] !== undefined) return 'powershell';
  throw usageError(
    name ? `completion does not support the shell ${name}` : 'cannot detect the shell: SHELL is not set',
    'specify bash, zsh, fish or powershell',
  );
}
