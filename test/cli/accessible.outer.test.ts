import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { open, startProcess } from '../support/process.ts';
import { unlessRequired } from '../support/required.ts';
import { temporaryFolder } from '../support/temporary.ts';

const missing = unlessRequired(
  'script',
  spawnSync('script', ['--version']).status === 0 ? undefined : 'no script(1)',
);

/** Types a line of a shell into a real terminal, with a sandbox of its own, and answers `y` to every question. */
function typed(line: string, env: Readonly<Record<string, string>>): Promise<string> {
  const home = temporaryFolder();
  const program = `'${process.execPath}' '${resolve('bin/ucctl.cjs')}'`;
  writeFileSync(
    join(home, 'job.sh'),
    `ucctl() { ${program} "$@"; }
ucctl login --flow password --username "$UCCTL_SANDBOX_USERNAME" -q > /dev/null || exit
printf 'queue,extension\\nSupport,105\\n' > list.csv
${line}
echo "exit $?"
`,
  );
  const words = ['-qefc', `${program} sandbox exec -- sh job.sh`, '/dev/null'];
  const { child, ended } = startProcess('script', words, {
    cwd: home,
    env: { HOME: home, ...env },
    input: open,
  });
  let screen = '';
  let asked = 0;
  child.stdout.on('data', (piece: string) => {
    screen += piece;
    const questions = screen.split('(y/N)').length - 1;
    if (questions > asked) child.stdin.write('y\n');
    asked = questions;
  });
  return ended.then(({ stdout }) => stdout);
}

describe.skipIf(missing)('for a screen reader, on a real terminal', () => {
  const text = 'ucctl sms send --to +16505550112 Hello --wait';
  const list = 'ucctl queue apply -f list.csv --add-only';
  it.each([
    ['sms send --accessible', `${text} --accessible`, { TERM: 'xterm' }, 'Delivered'],
    ['sms send under TERM=dumb', text, { TERM: 'dumb' }, 'Delivered'],
    [
      'queue apply under UCCTL_ACCESSIBLE',
      list,
      { TERM: 'xterm', UCCTL_ACCESSIBLE: '1', NO_COLOR: '1' },
      'added',
    ],
    ['queue apply under TERM=dumb', list, { TERM: 'dumb' }, 'added'],
  ])('%s asks once, redraws nothing, and reports the result as text', async (_name, line, env, end) => {
    const screen = await typed(line, env);
    expect(screen).toContain('exit 0');
    expect(screen).toContain(end);
    expect(screen.split('(y/N)').length - 1).toBe(1);
    // Colours may be there under --accessible; what moves the cursor may not.
    const sequences = screen.split('\u001B').slice(1);
    expect(sequences.filter((rest) => !/^\[[\d;]*m/.test(rest))).toEqual([]);
    expect(screen.replaceAll('\r\n', '\n')).not.toContain('\r');
  });
});
