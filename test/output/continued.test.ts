import { describe, expect, it } from 'vitest';
import { continuedLines } from '../../src/output/continued.ts';
import { ndjsonRenderer } from '../../src/output/json.ts';
import { plainSurface } from '../support/surface.ts';

interface Row {
  readonly id: string;
  readonly text?: string;
}

/** What a live stream leaves in a file that holds `earlier` already, and the rows that it said were with the system. */
async function continued(earlier: string | Uint8Array, rows: readonly Row[], fields?: readonly string[]) {
  const before = Buffer.from(earlier);
  const pieces: string[] = [];
  const asked: string[] = [];
  const taken: string[] = [];
  async function* source(): AsyncGenerator<Row, void> {
    for (const row of rows) {
      asked.push(row.id);
      yield row;
    }
  }
  const renderer = ndjsonRenderer(
    plainSurface({
      write(text, onWritten) {
        pieces.push(text);
        onWritten?.();
        return Promise.resolve();
      },
      lastBytes: (count) => Promise.resolve(before.subarray(Math.max(0, before.length - count))),
      fields,
    }),
  );
  await renderer.stream(source(), {
    columns: [],
    unique: 'id',
    onWritten: () => taken.push(asked.at(-1) ?? ''),
  });
  return { file: Buffer.concat([before, Buffer.from(pieces.join(''))]).toString(), taken };
}

const line = (row: Row): string => `${JSON.stringify(row)}\n`;
const [one, two, three] = [{ id: 'a' }, { id: 'b', text: 'x"\n' }, { id: 'c' }];

describe('a live stream that continues a file', () => {
  it('omits the row at the end of the file, which a killed run wrote but did not record', async () => {
    const { file, taken } = await continued(line(one) + line(two), [two, three]);
    expect(file).toBe(line(one) + line(two) + line(three));
    expect(taken).toEqual(['b', 'c']);
  });

  it('omits several rows, but writes a later duplicate, which was received again', async () => {
    const { file } = await continued(line(one) + line(two), [one, two, three, one]);
    expect(file).toBe(line(one) + line(two) + line(three) + line(one));
  });

  it('completes a truncated line', async () => {
    const { file, taken } = await continued(line(one) + line(two).slice(0, 12), [two, three]);
    expect(file).toBe(line(one) + line(two) + line(three));
    expect(taken).toEqual(['b', 'c']);
  });

  it('ends a truncated line of another program before its own lines', async () => {
    const { file } = await continued(`${line(one)}{"id":"zz`, [two]);
    expect(file).toBe(`${line(one)}{"id":"zz\n${line(two)}`);
  });

  it('ends a line that was truncated within a character', async () => {
    const umlaut = { id: 'ü' };
    const cut = Buffer.from(line(umlaut)).subarray(0, 8);
    const { file } = await continued(cut, [umlaut]);
    expect(file).toBe(`${cut.toString()}\n${line(umlaut)}`);
  });

  it('completes a line with a replacement character', async () => {
    const sign = { id: 'b', text: '\uFFFD and so on' };
    const { file } = await continued(line(sign).slice(0, 22), [sign]);
    expect(file).toBe(line(sign));
  });

  it('finds a last line longer than the first block that it reads', async () => {
    const long = { id: 'long', text: 'y'.repeat(300_000) };
    const { file } = await continued(line(one) + line(long), [long, three]);
    expect(file).toBe(line(one) + line(long) + line(three));
  });

  it.each([
    ['an empty file', ''],
    ['other text', 'listening\n"b"\n[{"id":"b"}]\nnull\n{"id"\n'],
    ['the same value in another member', '{"other":"b"}\n'],
  ])('writes every row after %s', async (_what, earlier) => {
    const { file } = await continued(earlier, [two, three]);
    expect(file).toBe(earlier + line(two) + line(three));
  });

  it('begins a new line after text without a line break', async () => {
    const { file } = await continued('since monday', [two]);
    expect(file).toBe(`since monday\n${line(two)}`);
  });

  it('reads only the end of a file without lines', async () => {
    const asked: number[] = [];
    const lineOf = continuedLines((count) => {
      asked.push(count);
      return Promise.resolve(new Uint8Array(count));
    }, 'id');
    expect(await lineOf(one, line(one))).toBe(`\n${line(one)}`);
    expect(Math.max(...asked)).toBe(32 * 1024 * 1024);
  });

  it('does not compare rows whose unique member was not requested', async () => {
    const { file } = await continued('{"text":"t"}\n', [{ id: 'a', text: 't' }], ['text']);
    expect(file).toBe('{"text":"t"}\n{"text":"t"}\n');
  });
});
