import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { openOffice } from '../office.ts';

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/gu, ' ');

describe('message list on a terminal', () => {
  const openMailbox = async (around?: (send: HttpSend) => HttpSend) => {
    const office = await openOffice('administrator', around);
    const { sandbox } = office;
    const customer = '+16505550199';
    await sandbox.control('POST', '/triggers/voicemail', { from: customer, to: '100' });
    await sandbox.control('POST', '/triggers/fax', { from: customer, to: '100' });
    await sandbox.control('POST', '/triggers/sms', { from: customer, to: '+16505550110', text: 'Hello' });
    return office;
  };

  it('shows the owner with the extension number, and the size of voicemails and faxes', async () => {
    const { run } = await openMailbox();
    const { stdout } = await run('message list --color never', { terminal: 120 });
    expect(stdout.match(/Avery Quinn \(100\)/gu)).toHaveLength(3);
    expect(stdout).toMatch(/Fax .*\(1 page\)/u);
    expect(stdout).toMatch(/VoiceMail .*\(12 s of speech\)/u);
    expect(stdout).toMatch(/SMS .*Hello/u);
  });

  it('names the command that saves the files', async () => {
    const { run } = await openMailbox();
    const json = JSON.parse((await run('message list -o json')).stdout) as readonly {
      readonly id: number;
      readonly type: string;
    }[];
    const files = json.filter(({ type }) => type !== 'SMS').map(({ id }) => id);
    const all = await run('message list --color never', { terminal: 120 });
    expect(oneLine(all.stderr)).toContain(
      `to save files of faxes and voicemails: ucctl download ${files.join(' ')}`,
    );
    const faxes = await run('fax list --extension 100 --color never', { terminal: 120 });
    expect(oneLine(faxes.stderr)).toMatch(/to save its file: ucctl download \d+ --extension 100/u);
    const texts = await run('sms list --color never', { terminal: 120 });
    expect(texts.stderr).not.toContain('download');
  });

  it('shows the length and the file of a voicemail whose type is spelled as in events', async () => {
    const { run } = await openMailbox((send) => async (request) => {
      const reply = await send(request);
      if (!request.url.pathname.endsWith('/message-store')) return reply;
      const text = (await reply.text()).replace('"VoiceMail"', '"Voicemail"');
      return { ...reply, text: () => Promise.resolve(text) };
    });
    const { stdout, stderr } = await run('message list --color never', { terminal: 120 });
    expect(stdout).toMatch(/Voicemail .*\(12 s of speech\)/u);
    expect(oneLine(stderr)).toMatch(/files of faxes and voicemails: ucctl download \d+ \d+/u);
  });

  it('writes the names of both parties to CSV after the other columns', async () => {
    const { run } = await openMailbox();
    for (const command of ['message list', 'voicemail list']) {
      const [head = '', row = ''] = (await run(`${command} -o csv`)).stdout.split('\r\n');
      expect(head).toMatch(/,fromName,toName$/);
      expect(row).toMatch(/,Avery Quinn$/);
      expect((await run(command, { terminal: 300 })).stdout).not.toContain('FROM NAME');
    }
  });

  it('does not count the text of a message as a file', async () => {
    const { run } = await openMailbox();
    const { stdout } = await run('message list -o csv --fields type,attachments --sort type --no-header');
    expect(stdout.split('\r\n')).toEqual(['Fax,1', 'SMS,0', 'VoiceMail,1', '']);
  });

  it('lists the messages although the owner cannot be read', async () => {
    const office = await openOffice('administrator', (send) => async (request) => {
      const isOwner = /\/extension\/\d+$/u.test(request.url.pathname);
      const reply = await send(request);
      return isOwner ? { ...reply, status: 403 } : reply;
    });
    await office.sandbox.control('POST', '/triggers/fax', { from: '+16505550199', to: '100' });
    const { exit, stdout } = await office.run('fax list --color never', { terminal: 120 });
    expect(exit).toBe(0);
    expect(stdout).toContain('Avery Quinn');
  });
});
