import { spawn } from 'node:child_process';
import { withoutSecrets } from '../platform/secret-environment.ts';

/** Exit codes of a shell that could not start the pager. */
const notStarted = new Set([126, 127]);

/**
 * Shows a text in the pager that UCCTL_PAGER or PAGER names, else in less. An empty value or `cat` disables the pager.
 * @returns false if the pager is disabled or could not be started; the text was then not shown.
 */
export async function showInPager(text: string, { env, platform, signal }: PagerSettings): Promise<boolean> {
  const command = env['UCCTL_PAGER'] ?? env['PAGER'] ?? (platform === 'win32' ? '' : 'less');
  if (command.trim() === '' || command.trim() === 'cat') return false;
  return new Promise((resolve) => {
    // The flags that git passes to less: quit if the text fits, show colors, leave the text on the screen.
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'ignore'],
      env: withoutSecrets({ LESS: 'FRX', ...env }),
      signal,
    });
    // A pager that the user quits early closes the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
    child.once('error', () => resolve(signal.aborted));
    child.once('close', (code) => resolve(!notStarted.has(code ?? 0)));
  });
}

/** The environment that a pager runs in, and the signal that stops it. */
export interface PagerSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Stops the pager. */
  readonly signal: AbortSignal;
}
