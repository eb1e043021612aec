import { describe, expect, it } from 'vitest';
import { exampleNoun, noon } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const run = (argv: string, terminal?: number) =>
  runUcctl(argv, { nouns: [exampleNoun()], now: noon, terminal });

describe('--tz', () => {
  it('shows times of tables, csv and tsv in the zone; JSON is unchanged', async () => {
    const tsv = await run('book list --fields changed --tz Europe/Paris');
    expect(tsv.stdout).toBe('2025-03-01T12:48:00.000+01:00\n2025-01-05T07:00:00.000+01:00\n');
    const csv = await run('book list --fields changed --tz America/New_York -o csv');
    expect(csv.stdout).toContain('2025-01-05T01:00:00.000-05:00');
    const json = await run('book list --tz Europe/Paris --json=changed');
    expect(json.stdout).toContain('2025-03-01T11:48:00Z');
  });

  it('applies to the date that a terminal shows', async () => {
    const { stdout } = await run('book list --fields changed --color never --tz Pacific/Pago_Pago', 80);
    expect(stdout).toContain('Jan 4 19:00');
  });

  it('rejects an unknown zone before the command runs', async () => {
    expect(await run('book list --tz Nowhere/Land')).toMatchObject({ exit: 2, stdout: '' });
  });

  it('rejects an abbreviation, and names the next step', async () => {
    const { exit, stdout, stderr } = await run('book list --tz BST');
    expect([exit, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(
        /"BST" is not the full name of a time zone\n.*use UTC or a name such as Europe\/Paris/,
      ),
    ]);
  });
});
