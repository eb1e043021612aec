// Runs the tests and prints their processor time: by folder, the most expensive files, and in total. Unlike wall
// time, processor time hardly depends on other load of the machine. Usage: npm run test:times -- [FILTER...]
import { relative } from 'node:path';
import { type Reporter, startVitest } from 'vitest/node';
import { processorSeconds } from '../test/support/processor-seconds.ts';

interface Times {
  readonly name: string;
  readonly seconds: number;
  readonly tests: number;
}

const shownFiles = 30;
const files: Times[] = [];
const reporter: Reporter = {
  onTestModuleEnd(module) {
    files.push({
      name: relative('test', module.moduleId),
      seconds: module.meta().processorSeconds ?? 0,
      tests: [...module.children.allTests()].length,
    });
  },
};

const started = performance.now();
const vitest = await startVitest('test', process.argv.slice(2), {
  run: true,
  reporters: ['default', reporter],
});
await vitest.close();
const wallSeconds = (performance.now() - started) / 1000;

const folders = new Map<string, Times>();
for (const { name, seconds, tests } of files) {
  const [folder = ''] = name.split('/');
  const so = folders.get(folder) ?? { name: folder, seconds: 0, tests: 0 };
  folders.set(folder, { name: folder, seconds: so.seconds + seconds, tests: so.tests + tests });
}
const inFiles = sum(files.map(({ seconds }) => seconds));
print('Folders', [...folders.values()]);
print('Files', files.slice().toSorted(bySeconds).slice(0, shownFiles));
print('Whole run', [
  { name: 'test files', seconds: inFiles, tests: sum(files.map(({ tests }) => tests)) },
  {
    name: 'Vitest itself: transforms, reports, shutdown of the workers',
    seconds: processorSeconds() - inFiles,
    tests: 0,
  },
  { name: 'everything', seconds: processorSeconds(), tests: 0 },
]);
console.log(`wall time ${wallSeconds.toFixed(0)} s`);

function print(title: string, rows: readonly Times[]): void {
  console.log(`\n${title}: processor seconds, tests`);
  for (const { name, seconds, tests } of rows.toSorted(bySeconds))
    console.log(`${seconds.toFixed(1).padStart(8)} ${String(tests).padStart(6)}  ${name}`);
}

function bySeconds(one: Times, other: Times): number {
  return other.seconds - one.seconds;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
