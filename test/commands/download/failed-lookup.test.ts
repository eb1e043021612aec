import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CallLogRecord } from '../../../src/contract/call-log.ts';
import { deferred } from '../../support/deferred.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const now = Date.UTC(2026, 0, 5, 9);

it('writes a row for each saved file if the lookup of a later item fails', async () => {
  const lookedUp = deferred<undefined>();
  let slow = '';
  const { run } = await openOffice(
    undefined,
    (send) => async (request) => {
      const { pathname } = request.url;
      if (pathname.endsWith(`/recording/${slow}/content`)) await lookedUp.promise;
      const reply = await send(request);
      if (pathname.endsWith('/recording/99999')) lookedUp.resolve(undefined);
      return reply;
    },
    undefined,
    { fixture: 'call-center' },
  );
  const { stdout } = await run('calllog list --since 30d --recording-type All -L 40 -o json', { now });
  const found = (JSON.parse(stdout) as CallLogRecord[]).map(({ recording }) => recording?.id ?? '');
  const ids = [...new Set(found)].slice(0, 3);
  slow = ids[0] ?? '';
  const dir = temporaryFolder();
  const named = [...ids, '99999'].map((id) => `--recording ${id}`).join(' ');
  const result = await run(
    `download ${named} --concurrency 2 -o tsv --fields id,status --dir ${dir} --manifest ${join(dir, 'SUMS')}`,
  );
  expect(result).toMatchObject({ exit: 3, stderr: expect.stringContaining('99999') as string });
  const files = readdirSync(dir).filter((name) => name.endsWith('.wav'));
  expect(files).toHaveLength(3);
  expect(result.stdout).toBe(ids.map((id) => `${id}\tdownloaded\n`).join(''));
  const sums = readFileSync(join(dir, 'SUMS'), 'utf8');
  expect(files.filter((file) => sums.includes(file))).toEqual(files);
});
