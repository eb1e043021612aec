import { bash } from './bash.ts';
import { fish } from './fish.ts';
import { powershell } from './powershell.ts';
import { zsh } from './zsh.ts';

export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

/** The script of each shell. They hold nothing of the commands: they ask `ucctl __complete`. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };

/** Names of the files in `completions/`, as each shell's loader looks for them. */
export const scriptFiles: Readonly<Record<Shell, string>> = {
  bash: 'ucctl.bash',
  zsh: '_ucctl',
  fish: 'ucctl.fish',
  powershell: 'ucctl.ps1',
};
