import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { noSmallDisk, onSmallDisk } from '../../support/small-disk.ts';
import { signInAs } from '../../support/sandbox.ts';

it.skipIf(noSmallDisk !== undefined)(
  `a run of texts that a full disk stopped is resumed, and no text is sent twice${noSmallDisk ? `: ${noSmallDisk}` : ''}`,
  async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const lines = await onSmallDisk(
      2,
      [
        'ucctl() { "$NODE" bin/ucctl.cjs "$@" 2>&1; }',
        '{ echo to; i=200; while [ $i -lt 230 ]; do echo +14155550$i; i=$((i + 1)); done; } >$DISK/list.csv',
        'for free in 40 100 120 130 160 200; do',
        '  dd if=/dev/zero of=$DISK/fill bs=1k count=$(($(df -k --output=avail $DISK | tail -1) - free)) 2>/dev/null',
        `  ucctl sms send -f $DISK/list.csv --template "Hello $free" --from +16505550110 --yes | grep -A1 '^error'`,
        '  rm $DISK/fill; ucctl sms send --resume last --yes >/dev/null',
        '  rm -r $DISK/.local',
        'done',
        'ucctl message list --type SMS --direction Outbound --since 2025-01-01 --limit 1000 -o tsv --fields to.0.phoneNumber,subject',
      ],
      {
        UCCTL_TOKEN: await signInAs(sandbox, 'administrator'),
        UCCTL_BASE_URL: sandbox.url,
        NODE_DISABLE_COMPILE_CACHE: '1',
      },
    );
    const stopped = lines.filter((line) => line.startsWith('error: the run stopped'));
    const next = lines.filter((_, index) => lines[index - 1]?.startsWith('error: the run stopped'));
    // Depending on the free space, the journal of runs or the journal of outcomes meets the full disk first.
    const full =
      /^error: the run stopped: cannot use the database DISK\/.*(?:runs|outcomes)\.db: the disk is full$/;
    const resume = /^ {2}try: {5}correct the cause, then resume the run: ucctl sms send --resume \d{8}-\S+$/;
    expect(stopped).toContainEqual(expect.stringContaining('runs.db'));
    expect(stopped).toEqual(stopped.map(() => expect.stringMatching(full) as unknown));
    expect(next).toEqual(stopped.map(() => expect.stringMatching(resume) as unknown));
    const texts = lines.filter((line) => line.includes('Hello'));
    expect(texts.length).toBeGreaterThan(60);
    expect(new Set(texts).size).toBe(texts.length);
  },
);
