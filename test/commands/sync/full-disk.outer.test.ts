import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProcess } from '../../support/process.ts';
import { noSmallDisk, onSmallDisk } from '../../support/small-disk.ts';

async function mailboxOf(messages: number): Promise<string> {
  const { child } = startProcess(process.execPath, ['bench/mailbox-server.mjs', String(messages)]);
  onTestFinished(() => void child.kill());
  const [port] = (await once(child.stdout, 'data')) as [string];
  return `http://127.0.0.1:${port.trim()}`;
}

const copyOnSmallDisk = (lines: readonly string[]) =>
  onSmallDisk(8, ['ucctl() { "$NODE" bin/ucctl.cjs "$@" --database $DISK/m.sqlite 2>&1; }', ...lines], {
    UCCTL_TOKEN: 'token-of-this-test',
  });

const count = `ucctl sync sql 'select count(*) n, count(distinct id) m from v_message' -o tsv`;

describe.skipIf(noSmallDisk !== undefined)(`a full disk${noSmallDisk ? `: ${noSmallDisk}` : ''}`, () => {
  it('during a commit keeps the previous copy intact, and reports how much space is needed', async () => {
    const [small, large] = [await mailboxOf(500), await mailboxOf(20_000)];
    const lines = await copyOnSmallDisk([
      `ucctl sync --base-url ${small} --quiet -o json >/dev/null`,
      `ucctl sync --base-url ${large} --full; echo "exit $?"`,
      count,
      `ucctl sync verify --sample 0 --base-url ${small} --quiet; echo "exit $?"`,
      `ucctl sync --base-url ${small} --quiet -o json | grep -c ISync`,
    ]);
    expect(lines).toEqual([
      'error: cannot store the new messages in DISK/m.sqlite: the disk is full',
      expect.stringMatching(
        /try: +free up about (4|5|6)\d MB and run the same command again; the local mailbox copy is unchanged/,
      ),
      'exit 12',
      '500\t500',
      'database\t1\t0\t',
      'full text\t500\t0\t',
      'attachments\t0\t0\t',
      'exit 0',
      '1',
    ]);
  });

  it('without any free space is reported as such by every command that writes', async () => {
    const small = await mailboxOf(500);
    const lines = await copyOnSmallDisk([
      `ucctl sync --base-url ${small} --quiet -o json >/dev/null`,
      'dd if=/dev/zero of=$DISK/fill bs=1k 2>/dev/null; dd if=/dev/zero of=$DISK/fill2 bs=1k 2>/dev/null',
      `ucctl sync --base-url ${small}; echo "exit $?"`,
      'ucctl sync export --format csv --to $DISK/m.csv; echo "exit $?"',
      'ucctl sync search refund --quiet >/dev/null; echo "search $?"',
      count,
      'rm $DISK/fill $DISK/fill2',
      'ucctl sync search refund --quiet >/dev/null; echo "search $?"',
      count,
    ]);
    const errors = lines.filter((line) => line.startsWith('error:'));
    expect(errors).toHaveLength(2);
    for (const line of errors)
      expect(line).toMatch(/no room|cannot use .*: the disk failed to read or write the file/);
    expect(lines.filter((line) => line === 'exit 12')).toHaveLength(2);
    expect(lines.slice(-4)).toEqual(['search 0', '500\t500', 'search 0', '500\t500']);
  });
});
