import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import type { Shell } from './scripts/index.ts';

/**
 * The shell that was named, or that of this login.
 * @throws {CommandError} `usage` when it is none that has completion.
 */
export function shellOf(env: Context['env'], named: Shell | undefined): Shell {
  if (named) return named;
  const name = (env['SHELL'] ?? '').split('/').at(-1);
  if (name === 'bash' || name === 'zsh' || name === 'fish') return name;
  if (!name && env['PSModulePath'] !== undefined) return 'powershell';
  throw usageError(
    name ? `there is no completion for ${name}` : 'which shell? SHELL is not set',
    'name one: bash, zsh, fish or powershell',
  );
}
