import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env as own, execPath } from 'node:process';
import { lendToRuns } from '../../test/support/compiled-code.ts';
import type { Ended } from '../../test/support/process.ts';
import { checkShown, secretsOfEnvironment } from '../../test/support/secrets.ts';

/**
 * Starts many processes at once and waits for all of them. A shell starts them: starting hundreds from this process
 * would block the sandbox, which runs in it.
 */
export async function runCrowd(
  count: number,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly Omit<Ended, 'signal'>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-crowd-'));
  const script = `i=0; while [ $i -lt ${count} ]; do
    ( "$@" >${folder}/$i.out 2>${folder}/$i.err </dev/null; echo $? >${folder}/$i.exit ) & i=$((i+1)); done; wait`;
  const secrets = secretsOfEnvironment(env);
  const takeBack = lendToRuns(env);
  const started = Date.now();
  try {
    const shell = spawn('sh', ['-c', script, 'sh', execPath, 'bin/ucctl.cjs', ...args], {
      env: { PATH: own['PATH'] ?? '', ...env },
      stdio: 'ignore',
    });
    await new Promise<void>((resolve, reject) => {
      shell.once('error', reject);
      shell.once('close', () => resolve());
    });
    takeBack();
    return Array.from({ length: count }, (_, index) => {
      const read = (kind: string): string => readFileSync(join(folder, `${index}.${kind}`), 'utf8');
      const milliseconds = statSync(join(folder, `${index}.exit`)).mtimeMs - started;
      const [stdout, stderr] = [read('out'), read('err')];
      checkShown(secrets, args, { stdout, stderr });
      return { exit: Number(read('exit')), stdout, stderr, milliseconds };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
