import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

async function openDesk(voicemails: number) {
  const { run, sandbox } = await openOffice('102');
  const dir = temporaryFolder();
  for (let left = voicemails; left > 0; left -= 1)
    await sandbox.control('POST', '/triggers/voicemail', { to: '102', seconds: 3 });
  const { stdout } = await run('message list --type VoiceMail --since 365d -o json --jq length');
  return { run, dir, sandbox, count: Number(stdout) };
}

it('a download of several files ends with the numbers of files and bytes, and of existing files', async () => {
  const { run, dir, count } = await openDesk(2);
  const line = `download --voicemail --since 365d --dir ${dir} --continue`;
  const { exit, stdout, stderr } = await run(`${line} -o json`);
  const bytes = (JSON.parse(stdout) as { bytes: number }[]).reduce((sum, row) => sum + row.bytes, 0);
  expect(bytes).toBeGreaterThan(1000);
  expect([exit, stderr]).toEqual([
    0,
    `${count} files: ${count} downloaded (${(bytes / 1000).toFixed(1)} kB).\n`,
  ]);
  expect((await run(line)).stderr).toBe(`${count} files: ${count} already existed.\n`);
  expect((await run(`${line} --quiet`)).stderr).toBe('');
});

it('the error about failed files has the numbers of the other files, and one file has no total', async () => {
  const { run, dir } = await openDesk(1);
  const { stdout } = await run('message list --type VoiceMail --since 365d -L 1 -o json');
  const [message] = JSON.parse(stdout) as { id: string }[];
  const line = `download ${message?.id} --dir ${dir} --continue`;
  expect(await run(line)).toMatchObject({ exit: 0, stderr: '' });
  const { exit, stderr } = await run(`${line} --uri /restapi/v1.0/account/~/recording/1/content`);
  expect([exit, stderr]).toEqual([8, expect.stringContaining('1 of 2 files failed, 1 already existed\n')]);
});
