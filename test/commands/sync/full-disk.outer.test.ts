import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProcess } from '../../support/process.ts';
import { unlessRequired } from '../../support/required.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A file system of its own, seen by one process alone, needs namespaces. */
const missing = unlessRequired(
  'tmpfs',
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0
    ? undefined
    : 'no small file system can be made here',
);

async function mailboxOf(messages: number): Promise<string> {
  const { child } = startProcess(process.execPath, ['bench/mailbox-server.mjs', String(messages)]);
  onTestFinished(() => void child.kill());
  const [port] = (await once(child.stdout, 'data')) as [string];
  return `http://127.0.0.1:${port.trim()}`;
}

/** Runs shell lines on a disk of 8 MB at `$DISK`, with `ucctl` as a command. */
async function onSmallDisk(lines: readonly string[]): Promise<readonly string[]> {
  const disk = temporaryFolder();
  const script = [
    `mount -t tmpfs -o size=8m tmpfs ${disk}`,
    `ucctl() { "$NODE" bin/ucctl.cjs "$@" --database ${disk}/m.sqlite 2>&1; }`,
    ...lines,
  ].join('\n');
  const { stdout } = await startProcess('unshare', ['-rm', 'sh', '-c', script], {
    env: { HOME: disk, NODE: process.execPath, UCCTL_TOKEN: 'token-of-this-test', DISK: disk },
  }).ended;
  return stdout.replaceAll(disk, 'DISK').trimEnd().split('\n');
}

const count = `ucctl sync sql 'select count(*) n, count(distinct id) m from v_message' -o tsv`;

describe.skipIf(missing !== undefined)(`a full disk${missing ? `: ${missing}` : ''}`, () => {
  it('during a commit keeps the previous copy intact, and reports how much space is needed', async () => {
    const [small, large] = [await mailboxOf(500), await mailboxOf(20_000)];
    const lines = await onSmallDisk([
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
    const lines = await onSmallDisk([
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
