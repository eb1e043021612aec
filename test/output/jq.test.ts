import { describe, expect, it } from 'vitest';
import { openOffice } from '../commands/office.ts';

describe('--jq', () => {
  it('filters a json document as a whole, and prints strings raw', async () => {
    const { run } = await openOffice();
    expect(await run(['queue', 'list', '--jq', 'map(.name) | sort | .[]'])).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^Billing\n/) as string,
    });
  });

  it('filters ndjson record by record', async () => {
    const { run } = await openOffice();
    const { stdout } = await run(['queue', 'list', '-o', 'ndjson', '--jq', '{id, n: (.name | length)}']);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; n: number });
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.every(({ id, n }) => id > 0 && n > 0)).toBe(true);
  });

  it.each([
    [['--jq', '.['], 'jq'],
    [['--jq', '.', '-o', 'csv'], '--jq cannot be used with -o csv'],
    [['--jq', '.', '-o', 'csv'], "for CSV: -o json --jq '.[] | [.id, .name] | @csv'"],
  ])('%j is a usage error', async (flags, words) => {
    const { run } = await openOffice();
    const { exit, stdout, stderr } = await run(['queue', 'list', ...flags]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });
});
