import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const note = 'Without --since, the download begins with the oldest items that the service stores.\n';

it('download --recordings without --since downloads everything that the service stores, and says so', async () => {
  const { run } = await openOffice(undefined, undefined, undefined, { fixture: 'call-center' });
  const listed = async (period: string): Promise<readonly string[]> => {
    const { stdout } = await run(`calllog list --recording-type All --all ${period} -o json`);
    const records = JSON.parse(stdout) as readonly { recording?: { id: string } }[];
    return [...new Set(records.map(({ recording }) => recording?.id ?? ''))].toSorted();
  };
  const all = await listed('--since 3650d');
  expect(all.length).toBeGreaterThan((await listed('--since 1d')).length);
  const line = `download --recordings --dry-run -o json --dir ${temporaryFolder()}`;
  const { exit, stdout, stderr } = await run(line);
  const found = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
  expect(found.toSorted()).toEqual(all);
  expect([exit, stderr]).toEqual([0, expect.stringContaining(note)]);
  expect((await run(`${line} --since 1d`)).stderr).not.toContain(note);
});

it.each([
  ['', '2000-01-01T00:00:00.000Z', undefined],
  [' --until 2026-01-05', '2000-01-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z'],
])('download --voicemail --fax%s requests the messages since %s', async (period, dateFrom, dateTo) => {
  const asked: (string | null)[][] = [];
  const { run } = await openOffice('102', (send) => (request) => {
    const { pathname, searchParams } = request.url;
    if (pathname.endsWith('/message-store'))
      asked.push(['dateFrom', 'dateTo'].map((name) => searchParams.get(name)));
    return send(request);
  });
  const { stderr } = await run(`download --voicemail --fax${period} --dir ${temporaryFolder()}`);
  expect(asked).toEqual([[dateFrom, dateTo ?? null]]);
  expect(stderr).toContain(note);
});
