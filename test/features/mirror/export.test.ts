import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import {
  copyMedia,
  exportFile,
  exportHtml,
  retryErrors,
  tidyMedia,
} from '../../../src/features/mirror/index.ts';
import { eraseNumber, tracesOf } from '../../../src/features/mirror/erase.ts';
import { mboxMessage } from '../../../src/features/mirror/export/mbox.ts';
import type { ExportRow } from '../../../src/store/export-row.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import {
  givesMedia,
  mediaOf,
  message,
  messagesOf,
  newMirror,
  replies,
  replyText,
  rows,
  sourceOf,
  sync,
} from './replies.ts';

const hostile = 'line one\r\nFrom nobody\n"quoted", <script>alert(1)</script> Grüße 😀';

async function copied(...records: readonly object[]) {
  const mirror = newMirror();
  await sync(mirror.db, replies(replyText(records)).open);
  return { ...mirror, folder: temporaryFolder() };
}

const messageWithFile: ExportRow = {
  pk: 1,
  id: '1',
  mailbox: '~',
  type: 'SMS',
  direction: 'Inbound',
  availability: 'Alive',
  readStatus: 'Read',
  messageStatus: 'Received',
  creationTime: '2026-01-05T09:00:00.000Z',
  lastModifiedTime: null,
  conversationId: null,
  fromNumber: '+15555550100',
  fromExtension: null,
  fromName: null,
  toNumbers: null,
  toNames: null,
  text: 'file',
  attachments: 1,
  raw: '{}',
};

async function next(db: Parameters<typeof sync>[0], ...records: readonly object[]): Promise<void> {
  await sync(db, replies(replyText(records, 'token-2')).open);
}

describe('an export', () => {
  it('as csv is read unchanged by another parser, with formulas escaped', async () => {
    const formula = message(2, { subject: '=1+1', conversationId: 5 });
    const { db, file, folder } = await copied(message(1, { subject: hostile }), formula);
    const target = join(folder, 'm.csv');
    expect(await exportFile(sourceOf(db, file), { target, format: 'csv', fresh: false })).toMatchObject({
      messages: 2,
    });
    const read = parse(readFileSync(target), { columns: true }) as unknown;
    expect(read).toMatchObject([
      { id: '1', text: hostile, fromNumber: '+15555550100', toNames: 'Alice Walker', conversationId: '' },
      { id: '2', text: "'=1+1", conversationId: '5' },
    ]);
    await exportFile(sourceOf(db, file), { target, format: 'csv', raw: true, fresh: true });
    expect(parse(readFileSync(target), { columns: true })).toMatchObject([{}, { text: '=1+1' }]);
  });

  it.each(['html', 'mbox'] as const)('as %s truncates no text within a character', async (format) => {
    const { db, file, folder } = await copied(message(1, { subject: `.${'😀'.repeat(60)}` }));
    const target = join(folder, 'out');
    if (format === 'html') await exportHtml(sourceOf(db, file), { target, fresh: false });
    else await exportFile(sourceOf(db, file), { target, format, fresh: false });
    const text = readFileSync(format === 'html' ? join(target, 'index.html') : target, 'utf8');
    const shown = text.replaceAll(/=\?utf-8\?B\?([^?]*)\?=/g, (_, word: string) =>
      Buffer.from(word, 'base64').toString(),
    );
    expect(shown).toContain('😀');
    expect(shown).not.toContain('\uFFFD');
  });

  it.each(['csv', 'ndjson', 'mbox'] as const)(
    'as %s continues where the last one ended, also after an interruption',
    async (format) => {
      const { db, file, folder } = await copied(message(1), message(2));
      const target = join(folder, 'out');
      await exportFile(sourceOf(db, file), { target, format, fresh: false });
      const before = readFileSync(target, 'utf8');
      expect(await exportFile(sourceOf(db, file), { target, format, fresh: false })).toMatchObject({
        messages: 0,
      });
      expect(readFileSync(target, 'utf8')).toBe(before);
      await next(db, message(2, { readStatus: 'Read' }), message(3));
      // Longer than the changes, which would otherwise overwrite it.
      appendFileSync(target, 'half a li'.repeat(1000));
      const report = await exportFile(sourceOf(db, file), { target, format, fresh: false });
      expect(report).toMatchObject({ messages: 2, incremental: true });
      const after = readFileSync(target, 'utf8');
      expect(after.startsWith(before)).toBe(true);
      expect(after).not.toContain('half a li');
      await exportFile(sourceOf(db, file), { target, format, fresh: true });
      expect(readFileSync(target, 'utf8').length).toBeLessThan(after.length);
    },
  );

  it.each(['csv', 'ndjson', 'mbox', 'parquet'] as const)(
    'as %s does not replace the file if it was edited and a message would be cut',
    async (format) => {
      const { db, file, folder } = await copied(message(1), message(2));
      const settings = { target: join(folder, 'out'), format, fresh: false } as const;
      await exportFile(sourceOf(db, file), settings);
      writeFileSync(settings.target, `edited${readFileSync(settings.target, 'latin1')}`, 'latin1');
      await next(db, message(3));
      const edited = readFileSync(settings.target);
      await expect(exportFile(sourceOf(db, file), settings)).rejects.toThrow('was replaced or edited');
      expect(edited.equals(readFileSync(settings.target))).toBe(true);
      expect(await exportFile(sourceOf(db, file), { ...settings, fresh: true })).toMatchObject({
        messages: 3,
        incremental: false,
      });
    },
  );

  it.each(['csv', 'parquet'] as const)(
    'as %s without messages is complete, and continued',
    async (format) => {
      const { db, file, folder } = await copied();
      const settings = { target: join(folder, 'out'), format, fresh: false } as const;
      expect(await exportFile(sourceOf(db, file), settings)).toMatchObject({
        messages: 0,
        incremental: false,
      });
      expect(statSync(settings.target).mode & 0o777).toBe(0o600);
      const before = readFileSync(settings.target);
      expect(before.length).toBeGreaterThan(0);
      expect(await exportFile(sourceOf(db, file), settings)).toMatchObject({
        messages: 0,
        incremental: true,
      });
      expect(before.equals(readFileSync(settings.target))).toBe(true);
      await next(db, message(1));
      expect(await exportFile(sourceOf(db, file), settings)).toMatchObject({
        messages: 1,
        incremental: true,
      });
    },
  );

  it.each([
    ['shorter', () => 'id,note\n1,mine\n'],
    ['longer', () => 'id,note\n'.repeat(1000)],
    // A copy of the export may be older, or of another machine.
    ['copied', (content: string) => content],
  ])('does not replace a %s file that somebody moved to its place', async (_, notesFor) => {
    const { db, file, folder } = await copied(message(1));
    const settings = { target: join(folder, 'out.csv'), format: 'csv', fresh: false } as const;
    await exportFile(sourceOf(db, file), settings);
    const own = join(folder, 'mine.csv');
    const notes = notesFor(readFileSync(settings.target, 'utf8'));
    writeFileSync(own, notes);
    renameSync(own, settings.target);
    await expect(exportFile(sourceOf(db, file), settings)).rejects.toThrow('was replaced or edited');
    expect(readFileSync(settings.target, 'utf8')).toBe(notes);
  });

  it('is written again if its file was deleted or is empty', async () => {
    const { db, file, folder } = await copied(message(1));
    const settings = { target: join(folder, 'out.csv'), format: 'csv', fresh: false } as const;
    for (const prepare of [
      () => undefined,
      () => rmSync(settings.target),
      () => writeFileSync(settings.target, ''),
    ]) {
      prepare();
      expect(await exportFile(sourceOf(db, file), settings)).toMatchObject({
        messages: 1,
        incremental: false,
      });
    }
  });

  it('does not replace another file in the place of an interrupted first export', async () => {
    const { db, file, folder } = await copied(message(1));
    const settings = { target: join(folder, 'm.csv'), format: 'csv', fresh: false } as const;
    const messages = messagesOf(db);
    messages.changedAfter = () => {
      throw new Error('interrupted');
    };
    await expect(exportFile({ ...sourceOf(db, file), messages }, settings)).rejects.toThrow('interrupted');
    const own = join(folder, 'mine.csv');
    writeFileSync(own, 'mine');
    renameSync(own, settings.target);
    await expect(exportFile(sourceOf(db, file), settings)).rejects.toThrow('was replaced or edited');
    expect(readFileSync(settings.target, 'utf8')).toBe('mine');
  });

  it.each(['csv', 'ndjson', 'mbox', 'parquet'] as const)(
    'as %s replaces no file of somebody else, also through a link',
    async (format) => {
      const { db, file, folder } = await copied(message(1));
      const [target, link, empty] = [join(folder, 'notes'), join(folder, 'link'), join(folder, 'empty')];
      writeFileSync(target, 'my notes');
      writeFileSync(empty, '');
      symlinkSync(target, link);
      for (const path of [target, link]) {
        const settings = { target: path, format, fresh: false } as const;
        await expect(exportFile(sourceOf(db, file), settings)).rejects.toThrow('is not an export');
      }
      expect(readFileSync(target, 'utf8')).toBe('my notes');
      const settings = { format, fresh: false } as const;
      expect(await exportFile(sourceOf(db, file), { ...settings, target: empty })).toMatchObject({
        messages: 1,
      });
      const fresh = { ...settings, target, fresh: true };
      expect(await exportFile(sourceOf(db, file), fresh)).toMatchObject({ messages: 1 });
      expect(await exportFile(sourceOf(db, file), { ...settings, target })).toMatchObject({ messages: 0 });
    },
  );

  it('replaces an export of another format only with --fresh, which ends the other export', async () => {
    const { db, file, folder } = await copied(message(1));
    const target = join(folder, 'out');
    await exportFile(sourceOf(db, file), { target, format: 'csv', fresh: false });
    const other = { target, format: 'ndjson', fresh: false } as const;
    await expect(exportFile(sourceOf(db, file), other)).rejects.toThrow('is not an export');
    await exportFile(sourceOf(db, file), { ...other, fresh: true });
    const csv = { target, format: 'csv', fresh: false } as const;
    await expect(exportFile(sourceOf(db, file), csv)).rejects.toThrow('is not an export');
  });

  it('is written again after an interruption of the first export', async () => {
    const { db, file, folder } = await copied(message(1), message(2));
    const settings = { target: join(folder, 'm.csv'), format: 'csv', fresh: false } as const;
    const messages = messagesOf(db);
    messages.changedAfter = () => {
      writeFileSync(settings.target, 'half a li');
      throw new Error('interrupted');
    };
    await expect(exportFile({ ...sourceOf(db, file), messages }, settings)).rejects.toThrow('interrupted');
    expect(await exportFile(sourceOf(db, file), settings)).toMatchObject({ messages: 2 });
    expect(parse(readFileSync(settings.target), { columns: true })).toHaveLength(2);
  });

  it('contains messages that arrive after the messages of a retry were erased', async () => {
    const number = '+15555550199';
    const { db, file, folder } = await copied(message(1), { id: 2, availability: 'Alive' });
    const settings = { target: join(folder, 'm.ndjson'), format: 'ndjson', fresh: false } as const;
    const retried = JSON.stringify(message(2, { from: { phoneNumber: number } }));
    const lines = retryErrors(messagesOf(db), () => Promise.resolve(retried), { onDelete: 'mark', now: 0 });
    for await (const { status } of lines) expect(status).toBe('copied');
    expect(await exportFile(sourceOf(db, file), settings)).toMatchObject({ messages: 2 });
    eraseNumber({ db, file }, number, 0);
    await next(db, message(3));
    expect(await exportFile(sourceOf(db, file), settings)).toMatchObject({ messages: 1 });
    expect(readFileSync(settings.target, 'utf8')).toContain('text 3');
  });

  it('continues during garbage collection', async () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      message(1000 + index, { subject: hostile.repeat(5) }),
    );
    const { db, file, folder } = await copied(...many);
    const target = join(folder, 'm.mbox');
    expect(await exportFile(sourceOf(db, file), { target, format: 'mbox', fresh: true })).toMatchObject({
      messages: 5000,
    });
    expect(readFileSync(target, 'utf8').match(/^From mailbox@/gm)).toHaveLength(5000);
  });

  it('as ndjson contains the records of the service', async () => {
    const { db, file, folder } = await copied(message(1, { subject: hostile }), message(2));
    const target = join(folder, 'm.ndjson');
    await exportFile(sourceOf(db, file), { target, format: 'ndjson', fresh: false });
    const lines = readFileSync(target, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      message(1, { subject: hostile }),
      message(2),
    ]);
  });

  it('as mbox has one separator for each message, and none from headers or bodies', async () => {
    const nasty = message(1, {
      subject: `From here\nFrom there\r\nBcc: x@example.com`,
      from: { phoneNumber: '+15555550100', name: 'A\r\nBcc: y@example.com "Ö"' },
    });
    const { db, file, folder } = await copied(nasty, message(2));
    const target = join(folder, 'm.mbox');
    await exportFile(sourceOf(db, file), { target, format: 'mbox', fresh: false });
    const text = readFileSync(target, 'utf8');
    expect(text.match(/^From /gm)).toHaveLength(2);
    expect(text).toMatch(/^From mailbox@phone\.invalid Mon Jan {2}5 09:00:00 2026$/m);
    expect(text).not.toMatch(/^Bcc:/m);
    const body = /base64\n\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? '';
    expect(Buffer.from(body, 'base64').toString()).toBe('From here\nFrom there\r\nBcc: x@example.com');
  });

  it.each([
    ['text/plain; charset="utf-8"', 'text/plain; charset="utf-8"'],
    ['text/plain;charset=utf-8;name="a b.txt"', 'text/plain;charset=utf-8;name="a b.txt"'],
    ['text/plain; charset="utf-8', 'text/plain; charset=_utf-8'],
    ['text/plain; name="a\\"b"', 'text/plain; name=_a__b_'],
    ['text/plain; name="\u00f6"', 'text/plain; name=___'],
    ['image/png\r\nBcc: x@example.com', 'image/png__Bcc: x@example.com'],
  ])('as mbox keeps the content type %j of an attachment', async (contentType, written) => {
    const sha256 = 'a'.repeat(64);
    const archive = {
      messages: { attachments: () => Promise.resolve([{ sha256, contentType, fileName: 'a' }]) },
      media: { read: () => Promise.resolve(Buffer.from('x')) },
    };
    expect(await mboxMessage(messageWithFile, archive as never)).toContain(`\nContent-Type: ${written}\n`);
  });

  it.each([
    ['Doe, John', '+15555550100', '"Doe, John" <+15555550100@phone.invalid>'],
    ['Acme Inc.', '+15555550100', '"Acme Inc." <+15555550100@phone.invalid>'],
    ['Jo Doe', '***', 'Jo Doe <unknown@phone.invalid>'],
    ['Doe, "Jö"', '', '=?utf-8?B?RG9lLCAiSsO2Ig==?= <unknown@phone.invalid>'],
  ])('as mbox writes one address for %s with number "%s"', async (name, phoneNumber, address) => {
    const party = { name, phoneNumber };
    const { db, file, folder } = await copied(message(1, { from: party, to: [party] }));
    const target = join(folder, 'm.mbox');
    await exportFile(sourceOf(db, file), { target, format: 'mbox', fresh: false });
    const lines = readFileSync(target, 'utf8').split('\n');
    expect(lines).toContain(`From: ${address}`);
    expect(lines).toContain(`To: ${address}`);
  });

  it('as mbox names each of several recipients, on lines of their own', async () => {
    const to = [
      { phoneNumber: '+15555550100', name: 'Doe, John' },
      { extensionNumber: '102' },
      { phoneNumber: '+15555550101', name: 'Zoë' },
    ];
    const { db, file, folder } = await copied(message(1, { to }));
    const target = join(folder, 'm.mbox');
    await exportFile(sourceOf(db, file), { target, format: 'mbox', fresh: false });
    expect(readFileSync(target, 'utf8')).toContain(
      'To: "Doe, John" <+15555550100@phone.invalid>,\n <102@phone.invalid>,\n =?utf-8?B?Wm/Dqw==?= <+15555550101@phone.invalid>\n',
    );
  });

  it('spec:PAGER-3 as html names the recipients of a pager message without its sender', async () => {
    const own = { extensionNumber: '101', name: 'Own Name' };
    const to = [{ extensionNumber: '102', name: 'Mei Lin' }, own, { extensionNumber: '103' }];
    const { db, file, folder } = await copied(
      message(1, { type: 'Pager', direction: 'Outbound', from: own, to, conversationId: 5 }),
    );
    await exportHtml(sourceOf(db, file), { target: folder, fresh: false });
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('<bdi>Mei Lin, 103</bdi></a> (1) ');
  });

  it('as mbox keeps the letters of file names', async () => {
    const fileName = 'Angebot "Müller" 日本.pdf';
    const attachment = { id: 9, uri: 'https://service.example/content/9', contentType: 'application/pdf' };
    const { db, file, folder } = await copied(message(1, { attachments: [{ ...attachment, fileName }] }));
    await copyMedia(messagesOf(db), mediaOf(file), '7', givesMedia('pages'));
    const target = join(folder, 'm.mbox');
    await exportFile(sourceOf(db, file), { target, format: 'mbox', fresh: false });
    expect(readFileSync(target, 'utf8')).toContain(
      'filename="Angebot _M_ller_ __.pdf"; ' +
        "filename*=utf-8''Angebot%20%22M%C3%BCller%22%20%E6%97%A5%E6%9C%AC.pdf\n",
    );
  });

  it('as html names the other party and the type, and links the pages', async () => {
    const { db, file, folder } = await copied(
      message(1, {
        direction: 'Outbound',
        from: { phoneNumber: '+15555550199', name: 'Our Company' },
        to: [{ phoneNumber: '+15555550100', name: 'A & B <Ltd>' }],
        conversationId: 5,
      }),
      message(2, { type: 'VoiceMail', subject: undefined, from: { phoneNumber: '+15555550101' } }),
      message(3, { type: 'Pager', subject: 'At noon?', from: { extensionNumber: '102' } }),
    );
    await exportHtml(sourceOf(db, file), { target: folder, fresh: false });
    const index = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(index).toContain('<bdi>A &amp; B &lt;Ltd&gt;</bdi></a> (1) ');
    expect(index).not.toContain('Our Company');
    expect(index).toContain('<bdi>+15555550101</bdi></a> (1) Voicemail <small>');
    expect(index).toContain('<bdi>102</bdi></a> (1) Pager message: <bdi>At noon?</bdi> <small>');
    const page = readFileSync(join(folder, 'threads', '7-5.html'), 'utf8');
    expect(page).toContain('<title>A &amp; B &lt;Ltd&gt;</title>');
    expect(page).toContain('<h1><bdi>A &amp; B &lt;Ltd&gt;</bdi></h1>');
    expect(page).toContain('<a href="../index.html">All messages</a>');
  });

  it('as html creates folders that only the user can read', async () => {
    const { db, file, folder } = await copied(message(1));
    const target = join(folder, 'reports', 'pages');
    await exportHtml(sourceOf(db, file), { target, fresh: false });
    const modes = ['.', 'media', 'threads'].map((name) => statSync(join(target, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o700]);
    mkdirSync(join(folder, 'mine'), { mode: 0o755 });
    await exportHtml(sourceOf(db, file), { target: join(folder, 'mine'), fresh: false });
    expect(statSync(join(folder, 'mine')).mode & 0o777).toBe(0o755);
  });

  it('as html opens offline with its media, escapes everything, and drops deleted threads', async () => {
    const attachment = {
      id: 9,
      uri: 'https://service.example/content/9',
      contentType: 'image/png',
      type: 'MmsAttachment',
      fileName: '"><script>',
    };
    const { db, file, folder } = await copied(
      message(1, { subject: hostile, conversationId: 5, attachments: [attachment] }),
      message(2, { conversationId: 6 }),
    );
    expect(await copyMedia(messagesOf(db), mediaOf(file), '7', givesMedia('pixels'))).toEqual({
      copied: 1,
      failed: 0,
    });
    await exportHtml(sourceOf(db, file), { target: folder, fresh: false });
    const page = readFileSync(join(folder, 'threads', '7-5.html'), 'utf8');
    const times = /<time datetime="\S+Z">\d{4}-\d\d-\d\d \d\d:\d\d UTC<\/time>/;
    expect(page).toMatch(times);
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toMatch(times);
    expect(page).not.toContain('<script>');
    expect(page).toContain('&lt;script&gt;alert(1)');
    const image = /<img [^>]*src="\.\.\/(media\/[^"]+\.png)"/.exec(page)?.[1] ?? '';
    expect(readFileSync(join(folder, image), 'utf8')).toBe('pixels');
    expect(page.match(/(src|href)="(https?:)?\/\//g)).toBeNull();
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('href="threads/7-6.html"');
    await sync(db, replies(replyText([{ id: 1, availability: 'Purged' }], 'token-2')).open, {
      onDelete: 'purge',
    });
    await tidyMedia(messagesOf(db), mediaOf(file));
    expect(await exportHtml(sourceOf(db, file), { target: folder, fresh: false })).toMatchObject({
      incremental: true,
      messages: 0,
    });
    expect(readdirSync(join(folder, 'threads'))).toEqual(['7-6.html']);
    expect(readdirSync(join(folder, 'media'))).toEqual([]);
  });
});

describe('an export as html with right-to-left texts', () => {
  it('has the direction of each text, which does not affect other texts, and names the mailbox', async () => {
    const from = { phoneNumber: '+15555550100', name: 'שלום' };
    const { db, file, folder } = await copied(message(1, { subject: 'مرحبا!', from, conversationId: 5 }));
    await messagesOf(db).saveMailboxes([{ extensionId: '7', extensionNumber: '101', own: false }]);
    await exportHtml(sourceOf(db, file), { target: folder, fresh: false });
    expect(readFileSync(join(folder, 'threads', '7-5.html'), 'utf8')).toMatch(
      /<bdi>שלום \+15555550100<\/bdi> → <bdi>.*<\/bdi><\/header>\n<p dir="auto">مرحبا!<\/p>/,
    );
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain(
      '<bdi>שלום</bdi></a> (1) <bdi>مرحبا!</bdi> <small>mailbox <bdi>101</bdi></small></p>',
    );
  });
});

describe('an export as html into a folder with other files', () => {
  it('does not overwrite an index of the user', async () => {
    const { db, file, folder } = await copied(message(1));
    writeFileSync(join(folder, 'index.html'), '<h1>My page</h1>');
    await expect(exportHtml(sourceOf(db, file), { target: folder, fresh: true })).rejects.toThrow(
      'index.html is not a page of an earlier export',
    );
    expect(readdirSync(folder)).toEqual(['index.html']);
    writeFileSync(join(folder, 'index.html'), '');
    await exportHtml(sourceOf(db, file), { target: folder, fresh: false });
    expect(await exportHtml(sourceOf(db, file), { target: folder, fresh: false })).toMatchObject({
      incremental: true,
    });
  });

  it('does not delete them', async () => {
    const { db, file, folder } = await copied(message(1, { conversationId: 5 }));
    for (const name of ['media', 'threads']) mkdirSync(join(folder, name, 'more'), { recursive: true });
    writeFileSync(join(folder, 'media', 'holiday.jpg'), 'a picture');
    writeFileSync(join(folder, 'threads', 'notes.html'), '<title>Notes</title>');
    await exportHtml(sourceOf(db, file), { target: folder, fresh: false });
    expect(readdirSync(join(folder, 'media'))).toEqual(['holiday.jpg', 'more']);
    expect(readdirSync(join(folder, 'threads'))).toEqual(['7-5.html', 'more', 'notes.html']);
  });
});

describe('a later export as html', () => {
  it('rewrites only threads with a deleted message or new attachments', async () => {
    const attachment = { id: 9, uri: 'https://service.example/content/9', contentType: 'image/png' };
    const { db, file, folder } = await copied(
      message(1, { subject: 'goes away', conversationId: 5 }),
      message(2, { subject: 'stays', conversationId: 5, creationTime: '2026-01-05T09:01:00.000Z' }),
      message(3, { conversationId: 6, attachments: [attachment] }),
      message(4, { conversationId: 7 }),
    );
    const settings = { target: folder, fresh: false };
    expect(await exportHtml(sourceOf(db, file), settings)).toMatchObject({ messages: 4, incremental: false });
    await copyMedia(messagesOf(db), mediaOf(file), '7', givesMedia('pixels'));
    await sync(db, replies(replyText([{ id: 1, availability: 'Deleted' }], 'token-2')).open, {
      onDelete: 'purge',
    });
    expect(await exportHtml(sourceOf(db, file), settings)).toMatchObject({ messages: 2, incremental: true });
    const page = readFileSync(join(folder, 'threads', '7-5.html'), 'utf8');
    expect([page.includes('goes away'), page.includes('stays')]).toEqual([false, true]);
    expect(readFileSync(join(folder, 'threads', '7-6.html'), 'utf8')).toContain('<img ');
    expect(await exportHtml(sourceOf(db, file), settings)).toMatchObject({ messages: 0, incremental: true });
  });
});

describe('erasing a number', () => {
  it('deletes every byte of its messages, which are not copied again', async () => {
    const number = '+15555550199';
    const secret = message(2, { subject: 'unrepeatable confession', from: { phoneNumber: number } });
    const sent = message(3, {
      subject: 'answered confession',
      to: [{ phoneNumber: '+1555' }, { phoneNumber: number }],
    });
    const { db, file } = await copied(message(1), secret, sent);
    await next(db, { ...secret, readStatus: 'Read' });
    expect(tracesOf(db, number)).toMatchObject({ messages: 2, versions: 1, attachments: 0 });
    db.exec('CREATE TABLE audit (unknown TEXT)');
    expect(() => eraseNumber({ db, file }, number, 0)).toThrow('audit');
    expect(tracesOf(db, number)).toMatchObject({ messages: 2 });
    db.exec('DROP TABLE audit');
    eraseNumber({ db, file }, number, 0);
    expect(rows(db, 'SELECT action, count FROM audit')).toEqual([{ action: 'erase', count: 2 }]);
    expect(tracesOf(db, number)).toMatchObject({ messages: 0, versions: 0 });
    expect(rows(db, 'SELECT message_id FROM message')).toEqual([{ message_id: '1' }]);
    for (const name of [file, `${file}-wal`]) {
      const bytes = readFileSync(name).toString('latin1');
      expect([bytes.includes('confession'), bytes.includes(number)]).toEqual([false, false]);
    }
    const report = await sync(db, replies(replyText([message(1), secret, sent], 'token-3')).open, {
      full: true,
    });
    expect(report).toMatchObject({ received: 3, added: 0 });
  });
});
