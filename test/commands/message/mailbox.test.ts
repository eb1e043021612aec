import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/contract/message.ts';
import { openLiveOffice } from '../live-office.ts';
import type { Office } from '../office.ts';

/** An office in which someone called 103 and left a voicemail, and texted and faxed there. */
async function officeWithMail(who?: string): Promise<Office> {
  const office = await openLiveOffice(who);
  const { sandbox } = office;
  await sandbox.control('POST', '/triggers/voicemail', { to: '103', seconds: 3 });
  await sandbox.control('POST', '/triggers/sms', { to: '103', text: 'for José' });
  await sandbox.control('POST', '/triggers/fax', { to: '103' });
  return office;
}

async function list({ run }: Office, command: string): Promise<readonly Message[]> {
  const { stdout, stderr, exit } = await run(`${command} -o json`);
  expect([exit, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Message[];
}

describe("another's mailbox", () => {
  it.each(['103', 'jose.alvarez@example.com'])(
    'is read by an administrator with --extension %s',
    async (name) => {
      const office = await officeWithMail();
      const flags = `--extension ${name} --since 1h`;
      const types = (await list(office, `message list ${flags}`)).map(({ type = '' }) => type);
      expect(types.toSorted()).toEqual(['Fax', 'SMS', 'VoiceMail']);
      const [text] = await list(office, `sms list ${flags}`);
      expect(text?.subject).toBe('for José');
      expect(await list(office, `voicemail list ${flags}`)).toHaveLength(1);
      const [fax] = await list(office, `fax list ${flags}`);
      const shown = await list(office, `message show ${text?.id} ${fax?.id} --extension ${name}`);
      expect(shown.map(({ id }) => id)).toEqual([text?.id, fax?.id]);
      const number = text?.from.phoneNumber ?? '';
      expect((await list(office, `sms thread ${number} --extension ${name}`)).map(({ id }) => id)).toEqual([
        text?.id,
      ]);
      expect((await list(office, `message thread ${text?.id} -e ${name}`)).map(({ id }) => id)).toEqual([
        text?.id,
      ]);
    },
  );

  it('is rejected for other users, and an unknown name is reported before', async () => {
    const office = await officeWithMail('102');
    const rejected = await office.run('sms list --extension 103 --since 1h');
    expect([rejected.exit, rejected.stderr]).toEqual([5, expect.stringContaining('extended scope')]);
    const unknown = await office.run('voicemail list --extension nobody');
    expect([unknown.exit, unknown.stderr]).toEqual([3, expect.stringContaining('nobody')]);
  });
});

describe('lists of messages', () => {
  it.each([
    'message list',
    'message list --type Text,SMS,Fax,VoiceMail',
    'sms list',
    'fax list',
    'voicemail list',
  ])('%s returns the requested number, in pages of the requested size', async (command) => {
    const office = await openLiveOffice('103');
    for (const kind of ['sms', 'fax', 'voicemail'])
      for (let count = 0; count < 3; count += 1)
        await office.sandbox.control('POST', `/triggers/${kind}`, { to: '103' });
    const all = await list(office, `${command} --all --since 1h`);
    expect(all.length).toBe(command.startsWith('message') ? 9 : 3);
    expect(await list(office, `${command} --since 1h -L 2`)).toEqual(all.slice(0, 2));
    office.requests();
    expect(await list(office, `${command} --since 1h --per-page 2`)).toEqual(all);
    expect(office.requests().length).toBe(Math.ceil(all.length / 2));
    const both = await office.run(`${command} --all -L 2`);
    expect([both.exit, both.stderr]).toEqual([2, expect.stringContaining('cannot be used together')]);
  });

  it.each(['message', 'sms', 'fax', 'voicemail'])('%s list --phone selects a number', async (noun) => {
    const office = await openLiveOffice('103');
    const kind = noun === 'message' ? 'sms' : noun;
    for (const from of ['+16505550191', '+16505550192'])
      await office.sandbox.control('POST', `/triggers/${kind}`, { from, to: '103' });
    const found = await list(office, `${noun} list --since 1h --phone +1-650-555-0192`);
    expect(found).toMatchObject([{ from: { phoneNumber: '+16505550192' } }]);
    const { exit, stderr } = await office.run(`${noun} list --phone x`);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--phone: "x"')]);
  });

  it.each(['message', 'sms', 'fax'])('%s list --direction accepts both directions', async (noun) => {
    const office = await openLiveOffice('103');
    const kind = noun === 'message' ? 'sms' : noun;
    await office.sandbox.control('POST', `/triggers/${kind}`, { to: '103' });
    const all = await list(office, `${noun} list --since 1h`);
    expect(all.length).toBeGreaterThan(0);
    expect(await list(office, `${noun} list --since 1h --direction Inbound,Outbound`)).toEqual(all);
    expect(await list(office, `${noun} list --since 1h --direction Outbound`)).toEqual([]);
  });
});
