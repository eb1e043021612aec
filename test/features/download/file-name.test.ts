import { describe, expect, it } from 'vitest';
import { checkTemplate, FileNames } from '../../../src/features/download/file-name.ts';
import { nameKey, safeName } from '../../../src/features/download/safe-name.ts';

const hostile = [
  '../../etc/passwd',
  '..',
  '.',
  '',
  '/',
  '/absolute',
  'C:\\Windows\\system32',
  'C:evil',
  '\\\\server\\share',
  'a/b/c.wav',
  '.bashrc',
  '...hidden',
  '-rf',
  '--help',
  '~root',
  'name.',
  'name ',
  'name. . .',
  'CON',
  'con.wav',
  'PRN.txt',
  'aux.tar.gz',
  'NUL',
  'COM1',
  'com9.log',
  'LPT1.pdf',
  'COM¹',
  'CONIN$',
  'conout$.txt',
  'a:b',
  'file:stream:$DATA',
  'what?*.wav',
  'say "hi".wav',
  '<script>|x',
  'line\nbreak\r.wav',
  'bell\u0007\u001B[31m.wav',
  'null\u0000byte.wav',
  'gpj\u202Evaw.exe',
  'zero\u200Bwidth\uFEFF',
  'x'.repeat(300) + '.wav',
  '💾'.repeat(100) + '.wav',
  'cafe\u0301.wav',
  '\uD800lone',
  ' \t ',
  'a\u2028b',
];

describe('40 hostile names under the rules of POSIX and Windows (D11)', () => {
  it.each(hostile)('%j', (text) => {
    const name = safeName(text);
    // POSIX: one component, no NUL, inside the limit.
    expect(name).not.toMatch(/[/\0]/);
    expect(name).not.toMatch(/^\.{0,2}$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    // Windows: no reserved character, device, trailing dot or space.
    expect(name).not.toMatch(/[<>:"\\|?*]/);
    expect(name).not.toMatch(/[. ]$/);
    expect(name).not.toMatch(/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i);
    // People: nothing hidden, reordered, or taken for an option.
    expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(name).not.toMatch(/^[.\-~ ]/);
    expect(name).toBe(name.normalize('NFC'));
    // Once safe it stays as it is.
    expect(safeName(name)).toBe(name);
  });

  it('keeps the extension of a name that is too long, and whole characters', () => {
    expect(safeName(`${'x'.repeat(300)}.wav`)).toBe(`${'x'.repeat(196)}.wav`);
    expect(safeName(`${'💾'.repeat(100)}.wav`)).toBe(`${'💾'.repeat(49)}.wav`);
  });
});

describe('names of one run', () => {
  const parts = { id: '42', kind: 'recording', time: '2026-01-05T09:08:07.000Z', contentType: 'audio/x-wav' };

  it('consist of kind and id, with an extension from a table', () => {
    expect(new FileNames().take(parts)).toBe('recording-42.wav');
    expect(new FileNames().take({ ...parts, contentType: 'application/x-sh' })).toBe('recording-42.bin');
  });

  it('have dates and times in the given zone, and never in that of the machine', () => {
    const template = '{date}_{time} {id}';
    const zone = 'Pacific/Kiritimati';
    const take = (time: string, ...zones: readonly string[]) =>
      new FileNames(template, true, ...zones).take({ ...parts, time });
    expect(take('2026-01-05T10:20:30.000Z', zone)).toBe('2026-01-06_002030 42.wav');
    expect(take('2026-01-05T10:20:30.000Z')).toBe('2026-01-05_102030 42.wav');
    expect(take('2026-01-05T23:20:30-05:00')).toBe('2026-01-06_042030 42.wav');
    // A time without an offset is in an unknown zone.
    expect(take('2026-01-05T10:20:30', zone)).toBe('2026-01-05_102030 42.wav');
  });

  it('follow a template; missing fields are omitted, and the extension is always present', () => {
    const names = new FileNames('{date}_{time} {from} {direction}');
    expect(names.take({ ...parts, from: '../+1415', direction: 'Inbound' })).toBe(
      '2026-01-05_090807 .._+1415 inbound.wav',
    );
  });

  it('always have their extension, even if all fields are empty or begin with a dot', () => {
    const take = (template: string, more: object) => new FileNames(template).take({ ...parts, ...more });
    expect(take('{from}.{ext}', {})).toBe('file.wav');
    expect(take('{from}', { from: '.' })).toBe('file.wav');
    expect(take('{from}.{ext}', { from: '..hidden. ' })).toBe('hidden. .wav');
    expect(take('{from}.{ext}', { from: 'CON' })).toBe('_CON.wav');
    expect(take('{from}.{ext}', { from: 'x'.repeat(300) })).toBe(`${'x'.repeat(196)}.wav`);
    const names = new FileNames('{from}.{ext}', false);
    expect([names.take(parts), names.take({ ...parts, id: '43' })]).toEqual(['file-42.wav', 'file-43.wav']);
  });

  it('keep dots and spaces before the extension, because later runs find files by their names', () => {
    const take = (template: string, more: object) =>
      new FileNames(template, false).take({ ...parts, contentType: 'audio/mpeg', ...more });
    expect(take('{date} {from}.{ext}', {})).toBe('2026-01-05 -42.mp3');
    expect(take('{date}-{to}.{ext}', { to: 'Acme Inc.' })).toBe('2026-01-05-Acme Inc.-42.mp3');
  });

  it('are unique, also on case-insensitive systems', () => {
    const names = new FileNames('{from}.{ext}');
    const taken = ['Jo', 'jo', 'JO', 'Jo'].map((from, index) =>
      names.take({ ...parts, id: String(index === 3 ? 2 : index), from }),
    );
    expect(new Set(taken.map(nameKey)).size).toBe(4);
    expect(taken[1]).toBe('jo-1.wav');
  });

  it('of several files have an ID, so that they do not depend on the other files of the run', () => {
    const older = { ...parts, from: 'Jo' };
    const template = '{from} {date}.{ext}';
    expect(new FileNames(template, false).take(older)).toBe('Jo 2026-01-05-42.wav');
    const next = new FileNames(template, false);
    expect(next.take({ ...older, id: '43' })).toBe('Jo 2026-01-05-43.wav');
    expect(next.take(older)).toBe('Jo 2026-01-05-42.wav');
    expect(new FileNames('{id} {from}', false).take(older)).toBe('42 Jo.wav');
  });

  it.each(['{date}/{from}-{id}.{ext}', 'a\\{id}'])('reject the folder in %s', (template) => {
    expect(() => checkTemplate(template)).toThrow('a template names only the file');
  });

  it('reject an unknown field', () => {
    expect(() => checkTemplate('{subject}.{ext}')).toThrow('{subject} is not a valid field');
    expect(() => checkTemplate('{id} {kind}')).not.toThrow();
  });
});
