import { catalogue, type Entry } from './catalogue.ts';
import { thisMachine } from './machine.ts';
import { isMissed, printOutcomes, type Outcome } from './report.ts';
import { appendLines, resultsFile, type Line, type LineBody, type Note } from './results.ts';
import { scale } from './scaled.ts';
import { hasCommand } from './timed.ts';

const header = { run: new Date().toISOString(), machine: thisMachine(), scale };
const words = process.argv.slice(2).filter((word) => word !== '--reduced');

if (words[0] === 'report') {
  const { writeReport } = await import('./write-report.ts');
  process.stdout.write(writeReport(words[1]));
} else {
  await measure(words);
}

async function measure(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => name !== 'all' && !Object.hasOwn(catalogue, name));
  if (unknown.length > 0) {
    const known = [...Object.keys(catalogue), 'all', 'report'].join(', ');
    process.stderr.write(`bench: unknown benchmark "${unknown.join(', ')}"; benchmarks: ${known}\n`);
    process.exitCode = 2;
    return;
  }
  // Some benchmarks read the variable directly.
  process.env['UCCTL_BENCH_SCALE'] = String(scale);
  for (const [name, entry] of Object.entries(catalogue)) {
    const isWanted = names.length > 0 ? names.includes(name) || names.includes('all') : entry.byName !== true;
    if (isWanted) await measureOne(name, entry);
  }
}

/** A benchmark that fails must not stop the others, but the run does not count as a success. */
async function measureOne(name: string, entry: Entry): Promise<void> {
  process.stdout.write(`\n${name}\n`);
  const notes: Note[] = [];
  const file = resultsFile(header);
  try {
    const outcomes = await outcomesOf(entry, notes);
    printOutcomes(outcomes);
    if (outcomes.some((outcome) => 'goal' in outcome && isMissed(outcome))) process.exitCode = 1;
    appendLines(
      file,
      [...outcomes.map(toBody), ...notes].map((body): Line =>
        Object.assign({ benchmark: name }, header, body),
      ),
    );
  } catch (error) {
    process.exitCode = 1;
    process.stdout.write(`BROKE: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

async function outcomesOf(
  { load, needs = [], peers = [] }: Entry,
  notes: Note[],
): Promise<readonly Outcome[]> {
  const missing = (programs: readonly string[]): readonly Outcome[] =>
    programs
      .filter((program) => !hasCommand(program))
      .map((program) => ({ name: `comparison with ${program}`, skipped: `${program} is not installed` }));
  const absent = missing(needs);
  if (absent.length > 0) return absent;
  const benchmark = await load();
  return [...(await benchmark((note) => notes.push(note))), ...missing(peers)];
}

function toBody(outcome: Outcome): LineBody {
  if ('skipped' in outcome) return { kind: 'skipped', ...outcome };
  return 'isLimit' in outcome ? { kind: 'limit', ...outcome } : { kind: 'result', ...outcome };
}
