import { describe, expect, it } from 'vitest';
import { registry } from '../../src/cli/registry.ts';
import { runWriteAnswered, type Intrusion } from './command-run.ts';
import { writeLines, writeProofs, type WriteLine } from './commands/writes.ts';

/** What another host answers in place of the service, to a request of any kind. */
const strangers = ['an empty record', 'HTML'];

it('every command that can make a change is listed with its proof', async () => {
  const nouns = await Promise.all(registry.map(({ load }) => load()));
  const writing = nouns.flatMap(({ commands }) =>
    commands.filter(({ mutates, effect }) => (mutates ?? false) !== false || effect !== undefined),
  );
  expect(Object.keys(writeProofs).toSorted()).toEqual(writing.map(({ path }) => path.join(' ')).toSorted());
});

describe.each(strangers)('a change that is answered with %s', (stranger) => {
  it.each(writeLines)('is not reported as made: $name', async (line) => {
    expect(await faultsOf(line, stranger, 'changes')).toEqual([]);
  });

  const reading = writeLines.filter(({ proof }) => proof !== 'reply');
  it.each(reading)('is not reported as made if the state cannot be read either: $name', async (line) => {
    expect(await faultsOf(line, stranger, 'changes and reads')).toEqual([]);
  });
});

describe('a change that the service confirms', () => {
  const verified = writeLines.filter(({ proof }) => proof === 'state');
  it.each(verified)('is unknown if the state cannot be read: $name', async (line) => {
    expect(await faultsOf(line, 'HTML', 'reads')).toEqual([]);
  });
});

async function faultsOf(
  { name, it: line }: WriteLine,
  stranger: string,
  answers: Intrusion,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const dialect of line.dialect === undefined ? (['spec', 'current'] as const) : [line.dialect]) {
    const fault = await runWriteAnswered(name, { ...line, dialect }, { stranger, answers });
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}
