import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProcess } from '../../support/process.ts';
import { noSmallDisk, onSmallDisk } from '../../support/small-disk.ts';
import { serve, sound } from '../../features/download/media-server.ts';

async function mailboxOf(messages: number): Promise<string> {
  const { child } = startProcess(process.execPath, ['bench/mailbox-server.mjs', String(messages)]);
  onTestFinished(() => void child.kill());
  const [port] = (await once(child.stdout, 'data')) as [string];
  return `http://127.0.0.1:${port.trim()}`;
}

/** A mailbox with one voicemail. @returns its address and the ranges of the requests for the attachment */
async function mailboxWith(content: Buffer): Promise<{ base: string; ranges: (string | undefined)[] }> {
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/content')) {
      ranges.push(request.headers.range);
      serve(request, response, { content, etag: '"a"' });
      return;
    }
    const attachment = { id: 1, uri: `${base}/content/1`, contentType: 'audio/x-wav', size: content.length };
    const creationTime = '2026-01-05T08:00:00.000Z';
    const message = {
      id: 1,
      type: 'VoiceMail',
      availability: 'Alive',
      creationTime,
      attachments: [attachment],
    };
    const body = {
      uri: `${base}/restapi/v1.0/account/1/extension/7/message-sync`,
      records: [message],
      syncInfo: { syncType: 'FSync', syncToken: 't', syncTime: '2026-01-05T09:00:00.000Z' },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { base, ranges };
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
      'database\t500\t0\t',
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

  it('during the copy of an attachment keeps the partial file, which the next sync resumes', async () => {
    const { base, ranges } = await mailboxWith(sound(12 * 1024 * 1024));
    const lines = await copyOnSmallDisk([
      `ucctl sync --media --base-url ${base} --quiet -o tsv >$DISK/first; echo "exit $?"`,
      'grep -v STATUS $DISK/first; ls -A $DISK/m.sqlite.media/unfinished',
      'mount -o remount,size=64m $DISK; echo again',
      `ucctl sync --media --base-url ${base} --quiet -o tsv >$DISK/second; echo "exit $?"`,
      'find $DISK/m.sqlite.media -type f -size +11M | wc -l',
    ]);
    const again = lines.indexOf('again');
    expect(lines[0]).toBe('exit 12');
    expect(lines.slice(1, again).join('\n')).toMatch(
      /the disk is full.*again to resume the download.*\.part\n.*\.part\.json$/s,
    );
    expect(lines.slice(again + 1)).toEqual(['exit 0', '1']);
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d{5,}-/)]);
  });
});
