import { bash } from './bash.ts';
import { fish } from './fish.ts';
import { powershell } from './powershell.ts';
import { zsh } from './zsh.ts';

export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

/**
 * The script of each shell. The scripts call `ucctl __complete` and contain no command names, so a new version of ucctl
 * needs no new scripts.
 */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };

/** File names in `completions/`, as the loader of each shell expects them. */
export const scriptFiles: Readonly<Record<Shell, string>> = {
  bash: 'ucctl.bash',
  zsh: '_ucctl',
  fish: 'ucctl.fish',
  powershell: 'ucctl.ps1',
};
