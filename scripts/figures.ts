// Prints the figures of the source that have a limit: functions, imports, live sessions and lines. Exits with 1 if a figure exceeds its limit.
// Usage: npm run figures
import { readFileSync } from 'node:fs';
import { importCycles, readImportGraph, sourceFiles } from '../test/architecture/import-cycles.ts';
import { liveSessionsOf } from '../test/architecture/live-sessions.ts';
import { countLines } from './figures/count-lines.ts';
import { largeFunctions, type Measured } from './figures/large-functions.ts';

const mostLines = 80;
const mostOver60 = 3;
const mostComplexity = 15;

const files = sourceFiles('src');
const counts = files.map((file) => countLines(file, readFileSync(file, 'utf8')));
const sum = (of: 'code' | 'comment' | 'blank'): number => counts.reduce((all, one) => all + one[of], 0);
const [code, comment, blank] = [sum('code'), sum('comment'), sum('blank')];
print(
  `Lines of src: ${code + comment + blank} in ${files.length} files: ${code} code, ${comment} comment, ${blank} blank`,
);

const { lines, parameters, complexity } = largeFunctions('src');
const cycles = importCycles(readImportGraph(files));
const highest = complexity[0]?.value ?? 10;

figure(
  `Functions over 60 lines: ${lines.length} (at most ${mostOver60}, none over ${mostLines})`,
  lines.length <= mostOver60 && lines.every(({ value }) => value <= mostLines),
  lines.map(row),
);
figure(
  `Functions with more than 5 positional parameters: ${parameters.length} (none)`,
  parameters.length === 0,
  parameters.map(row),
);
figure(
  `Highest complexity of a function: ${complexity.length === 0 ? 'at most ' : ''}${highest} (at most ${mostComplexity})`,
  highest <= mostComplexity,
  complexity.filter(({ value }) => value > mostComplexity).map(row),
);
figure(
  `Cycles of imports, types included: ${cycles.length} (none)`,
  cycles.length === 0,
  cycles.map((cycle) => cycle.join(' > ')),
);

const live = files.map((file) => [file, liveSessionsOf(file, readFileSync(file, 'utf8'))] as const);
const composing = live.filter(([, { composes }]) => composes).map(([file]) => file);
const opening = live.filter(([, { opens }]) => opens).map(([file]) => file);
figure(
  `Compositions of a live session: ${composing.length} (one), opened by ${opening.length} files`,
  composing.length === 1,
  [...composing, ...opening],
);

function figure(text: string, isMet: boolean, rows: readonly string[]): void {
  if (!isMet) process.exitCode = 1;
  print(`${text}${isMet ? '' : ': NOT MET'}`);
  for (const line of rows) print(`  ${line}`);
}

function row({ place, name, value }: Measured): string {
  return `${String(value).padStart(4)}  ${name}  ${place}`;
}

function print(text: string): void {
  console.log(text);
}
