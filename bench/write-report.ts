import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { catalogue } from './catalogue.ts';
import { describeMachine } from './machine.ts';
import { daySvg, scaleSvgs, waitsSvg } from './plots.ts';
import { figuresOf, goalOf, gradeOf } from './report.ts';
import { fullRunFiles, readLines, type Line, type Profile } from './results.ts';
import { titleOf } from './titles.ts';

const readme = 'bench/README.md';
const plots = 'bench/plots';

/**
 * Writes the tables of bench/README.md and the plots from a file of results, by default from all full runs. Tables
 * without new measurements stay unchanged.
 * @returns the files that it wrote.
 * @throws when there is no such file, or the README has lost a marker.
 */
export function writeReport(named: string | undefined): string {
  const lines = readLines(named === undefined ? fullRunFiles() : [named]);
  const text = Object.entries({
    goals: goalTable(lines),
    how: howTable(),
    scale: scaleTable(lines),
    profile: profileTables(lines),
  }).reduce((document, [name, block]) => replaceBlock(document, name, block), readFileSync(readme, 'utf8'));
  writeFileSync(readme, text);
  mkdirSync(plots, { recursive: true });
  const drawn = Object.entries({ ...scaleSvgs(lines), ...daySvg(lines), ...waitsSvg(lines) });
  for (const [name, svg] of drawn) writeFileSync(`${plots}/${name}`, svg);
  return `${[readme, ...drawn.map(([name]) => `${plots}/${name}`)].join('\n')}\n`;
}

/** Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->`; an empty text leaves it unchanged. */
export function replaceBlock(document: string, name: string, block: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`bench: ${readme} has lost the marker "${name}"`);
  if (block === '') return document;
  return `${document.slice(0, from + begin.length)}\n${block}\n${document.slice(to)}`;
}

/** Every goal with its result, by benchmark; each row shows machine and day, which may differ. */
export function goalTable(lines: readonly Line[]): string {
  const measured = new Set(lines.map(({ benchmark }) => benchmark));
  const missing = Object.keys(catalogue).filter((benchmark) => !measured.has(benchmark));
  return [
    ...Object.keys(catalogue).map((benchmark) =>
      goalsOf(lines.filter((line) => line.benchmark === benchmark)),
    ),
    missing.length === 0 ? '' : `Without results: ${missing.map((name) => `\`${name}\``).join(', ')}\n`,
  ]
    .filter((text) => text !== '')
    .join('\n');
}

function goalsOf(lines: readonly Line[]): string {
  const [last] = lines.toSorted((a, b) => b.run.localeCompare(a.run));
  const rows = lines.flatMap((line) => {
    if (line.kind === 'skipped')
      return [`| ${titleOf(line.benchmark, line.name)} | | skipped: ${line.skipped} | |`];
    if (line.kind === 'limit')
      return [`| ${titleOf(line.benchmark, line.name)} | | ${figuresOf(line)} | limit |`];
    if (line.kind !== 'result') return [];
    return [
      `| ${titleOf(line.benchmark, line.name)} | ${goalOf(line)} | ${figuresOf(line)}${line.run === last?.run ? '' : `, measured ${line.run.slice(0, 10)}`} | ${gradeOf(line)} |`,
    ];
  });
  if (!last || rows.length === 0) return '';
  const { benchmark, run, machine, scale } = last;
  const size = scale === 1 ? '' : `, at ${scale} of the size of the goals`;
  const title = `**${benchmark}** · ${run.slice(0, 10)} · ${describeMachine(machine)}${size}\n`;
  const head = ['| measurement | goal | result (minimum to maximum) | status |', '|---|---|---|---|'];
  return `${[title, ...head, ...rows].join('\n')}\n`;
}

function howTable(): string {
  const rows = Object.entries(catalogue).map(
    ([name, { against, how }]) => `| \`npm run bench -- ${name}\` | ${against} | ${how} |`,
  );
  return `${['| command | limit or peer | how it is measured |', '|---|---|---|', ...rows].join('\n')}\n`;
}

function scaleTable(lines: readonly Line[]): string {
  const rows = lines.flatMap((line) => {
    if (line.kind !== 'point') return [];
    const seconds = `${Math.min(...line.seconds).toFixed(2)} to ${Math.max(...line.seconds).toFixed(2)} s`;
    return [
      `| ${line.work} | ${line.size.toLocaleString('en-US')} ${line.subject} | ${seconds} | ${Math.max(...line.megabytes).toFixed(0)} MB |`,
    ];
  });
  if (rows.length === 0) return '';
  return `${['| work | size | time | peak memory |', '|---|---|---|---|', ...rows].join('\n')}\n`;
}

function profileTables(lines: readonly Line[]): string {
  const profiles = lines.filter((line): line is Line & Profile => line.kind === 'profile');
  return profiles
    .map(({ command, total, parts }) => {
      const rows = parts.map(
        ({ part, milliseconds }) =>
          `| ${titleOf('profile', part)} | ${milliseconds.toFixed(1)} | ${Math.round((100 * milliseconds) / total)} % |`,
      );
      return [
        `\`${command}\`: ${total.toFixed(0)} ms\n`,
        '| part | ms | share |',
        '|---|---|---|',
        ...rows,
        '',
      ].join('\n');
    })
    .join('\n');
}
