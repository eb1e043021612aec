import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathsIn } from '../../support/paths.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openLiveOffice } from '../live-office.ts';

const outside = '+14155550100';

/** An office with one canceled fax to `outside`, and commands that share their paths. */
async function withCanceledFax() {
  const office = await openLiveOffice();
  const cwd = temporaryFolder();
  const paths = pathsIn(join(cwd, 'paths'));
  await writeFile(join(cwd, 'page.txt'), 'a page');
  const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
    office.run(line, { cwd, paths, env });
  const { stdout } = await run(`fax send --to ${outside} page.txt --at 20m --yes -o json`);
  const id = String((JSON.parse(stdout) as { readonly id: number }).id);
  expect((await run(`fax cancel ${id}`)).exit).toBe(0);
  office.requests();
  const changes = (): readonly string[] => office.requests().filter((line) => line.startsWith('PATCH'));
  return { ...office, run, id, changes };
}

describe('message restore of a canceled fax', () => {
  it.each([
    { UCCTL_QUIET_HOURS: '08:00-10:00 UTC' },
    { UCCTL_FORBID_PREFIXES: '+1415' },
    { UCCTL_ALLOW_PREFIXES: '+49' },
    { UCCTL_MAX_PER_HOUR: '1' },
  ])('is blocked by the policy %j as the send of a fax', async (env) => {
    const { run, id, changes } = await withCanceledFax();
    const { exit, stderr } = await run(`message restore ${id} --yes`, env);
    expect([exit, stderr]).toEqual([9, expect.stringContaining('blocked by the policy')]);
    const raw = await run(
      `api PATCH /restapi/v1.0/account/~/extension/~/message-store/${id} -f availability=Alive --yes`,
      env,
    );
    expect([raw.exit, changes()]).toEqual([9, []]);
  });

  it('shows the recipients, asks, and counts as a fax', async () => {
    const { run, id, changes } = await withCanceledFax();
    const asked = await run(`message restore ${id}`);
    expect([asked.exit, changes()]).toEqual([9, []]);
    expect(asked.stderr).toContain(`restore and send fax ${id} to ${outside}`);
    const env = { UCCTL_MAX_PER_HOUR: '2' };
    expect((await run(`message restore ${id} --yes`, env)).exit).toBe(0);
    expect(changes()).toHaveLength(1);
    expect(await run('sms send --to +16505550112 hello --yes', env)).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('2 were sent in the last hour') as string,
    });
  });

  it('restores texts together with a fax, and texts without a question', async () => {
    const { run, id, changes } = await withCanceledFax();
    const { stdout } = await run('sms send --to +16505550112 hello --yes -o json');
    const text = String((JSON.parse(stdout) as { readonly id: number }).id);
    const env = { UCCTL_FORBID_PREFIXES: '+1900', UCCTL_MAX_PER_HOUR: '9' };
    await run(`message delete ${text}`);
    expect((await run(`message restore ${text}`, env)).exit).toBe(0);
    await run(`message delete ${text}`);
    const both = await run(`message restore ${text} ${id} --yes -o json`, env);
    expect(JSON.parse(both.stdout)).toMatchObject([
      { id, status: 'restored' },
      { id: text, status: 'restored' },
    ]);
    expect(changes()).toHaveLength(3);
  });

  it('shows all requests of a dry run: of one message as an object, of several as a list', async () => {
    const { run, id, changes } = await withCanceledFax();
    const { stdout } = await run('sms send --to +16505550112 hello --yes -o json');
    const text = String((JSON.parse(stdout) as { readonly id: number }).id);
    await run(`message delete ${text}`);
    const both = await run(`message restore ${text} ${id} --dry-run -o json`);
    const one = await run(`message restore ${text} --dry-run -o json`);
    const path = (message: string): object => ({
      url: expect.stringMatching(`message-store/${message}\\b`) as string,
    });
    expect([JSON.parse(both.stdout), JSON.parse(one.stdout)]).toMatchObject([
      [path(id), path(text)],
      path(text),
    ]);
    expect(changes()).toEqual([]);
  });
});
