import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noSmallDisk, onSmallDisk } from '../../support/small-disk.ts';
import { serve, sound } from '../../features/download/media-server.ts';

const mib = 1024 * 1024;

/** A service with one file. @returns its address and the ranges of the requests */
async function serviceOf(content: Buffer): Promise<{ base: string; ranges: (string | undefined)[] }> {
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    serve(request, response, { content, etag: '"a"' });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ranges };
}

describe.skipIf(noSmallDisk !== undefined)(`a full disk${noSmallDisk ? `: ${noSmallDisk}` : ''}`, () => {
  it.each([
    ['before the state was recorded', 6, 12],
    ['after the state was recorded', 20, 25],
    ['during a download with several connections', 20, 40],
  ])('%s keeps the partial file, which --continue resumes', async (_, disk, size) => {
    const { base, ranges } = await serviceOf(sound(size * mib));
    const lines = await onSmallDisk(
      disk,
      [
        'download() { "$NODE" bin/ucctl.cjs download --uri /content/1 --dir $DISK/out "$@" 2>&1; echo "exit $?"; }',
        'download -o tsv --fields status',
        'ls -A $DISK/out',
        `mount -o remount,size=${disk + size}m $DISK`,
        'echo again',
        'download --continue -o tsv --fields status,bytes',
        'ls -A $DISK/out',
      ],
      { UCCTL_BASE_URL: base, UCCTL_TOKEN: 'token-of-this-test' },
    );
    const [first, second] = [lines.slice(0, lines.indexOf('again')), lines.slice(lines.indexOf('again') + 1)];
    expect(first).toEqual([
      'failed',
      expect.stringContaining('the disk is full'),
      '  try:     free up disk space, then run the same command with --continue; the partial file is stored',
      'exit 12',
      expect.stringMatching(/^\.content-1.*\.part$/),
      expect.stringMatching(/^\.content-1.*\.part\.json$/),
    ]);
    expect(second).toEqual([`resumed\t${size * mib}`, 'exit 0', expect.stringMatching(/^content-1.*\.wav$/)]);
    // The second run also requests the address without a range, to learn the type of the file.
    const resumed = ranges.slice(ranges.lastIndexOf(undefined) + 1);
    expect(resumed.length).toBeGreaterThan(0);
    expect(resumed.filter((range) => range?.startsWith('bytes=0-'))).toEqual([]);
  });
});
