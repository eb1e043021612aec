import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readNotes, writeNotes } from '../../../src/features/download/part-notes.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const notes = {
  uri: 'hash',
  isStrong: true,
  validator: '"a"',
  contentType: 'audio/x-wav',
  total: 100,
  segments: [
    { first: 0, next: 10, last: 49 },
    { first: 50, next: 100, last: 99 },
  ],
};
const one = (segment: object) => ({ segments: [{ first: 0, next: 10, last: 99, ...segment }] });

describe('the state of an earlier download', () => {
  const readBack = async (content: object | string) => {
    const part = join(temporaryFolder(), 'part');
    writeFileSync(`${part}.json`, typeof content === 'string' ? content : JSON.stringify(content));
    return readNotes(part, 'hash');
  };

  it.each([
    ['all members', {}],
    ['a date of this version', { validator: 'Mon, 05 Jan 2026 09:00:00 GMT' }],
    ['an entity tag of an earlier version', { isStrong: undefined }],
    ['one segment of unknown size', { total: undefined, ...one({ last: undefined }) }],
  ])('is used with %s', async (_, more) => {
    const content = { ...notes, ...more };
    expect(await readBack(content)).toEqual(content);
  });

  it.each([
    ['another address', { uri: 'other' }],
    ['no validator', { validator: undefined }],
    ['a date of an earlier version', { isStrong: undefined, validator: 'Mon, 05 Jan 2026 09:00:00 GMT' }],
    ['no segments', { segments: [] }],
    ['several segments of unknown size', { total: undefined }],
    ['a start that is not a number', one({ first: '0' })],
    ['a position that is not an integer', one({ next: 10.5 })],
    ['a position before the start', one({ first: 20 })],
    ['a position after the end', one({ next: 101 })],
  ])('is not used with %s', async (_, more) => {
    expect(await readBack({ ...notes, ...more })).toBeUndefined();
  });

  it.each(['', '{"uri":"hash"', 'null'])('is not used if it is damaged: "%s"', async (text) => {
    expect(await readBack(text)).toBeUndefined();
  });
});

it('the state is written for the user only, and never through a link that another program created', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'part.json');
  const victim = join(temporaryFolder(), 'victim');
  writeFileSync(victim, 'unchanged');
  symlinkSync(victim, `${file}.new`);
  await writeNotes(file, 'text', false);
  expect([readFileSync(victim, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['unchanged', 'text']);
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['part.json']);
});

it('the state that cannot be written leaves no temporary file', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'part.json');
  mkdirSync(file);
  await expect(writeNotes(file, 'text', true)).rejects.toMatchObject({ code: 'EISDIR' });
  expect(readdirSync(folder)).toEqual(['part.json']);
});
