import type { Result } from './report.ts';
import { isMissed, printResults } from './report.ts';

/** Each benchmark prints nothing itself; a reason in place of results says why it could not run here. */
type Benchmark = () => Promise<readonly Result[]>;

const benchmarks: Readonly<Record<string, () => Promise<Benchmark>>> = {
  startup: () => import('./startup.ts').then((module) => module.startup),
  listener: () => import('./listener.ts').then((module) => module.listener),
  sandbox: () => import('./sandbox.ts').then((module) => module.sandbox),
  download: () => import('./download.ts').then((module) => module.download),
  calllog: () => import('./calllog.ts').then((module) => module.calllog),
  queue: () => import('./queue.ts').then((module) => module.queue),
  client: () => import('./client.ts').then((module) => module.client),
  sync: () => import('./sync.ts').then((module) => module.sync),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  process.stderr.write(
    `bench: no benchmark "${unknown.join(', ')}"; there are: ${Object.keys(benchmarks).join(', ')}\n`,
  );
  process.exitCode = 2;
} else {
  const missed: Result[] = [];
  for (const [name, load] of Object.entries(benchmarks)) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stdout.write(`\n${name}\n`);
    const results = await (await load())();
    printResults(results);
    missed.push(...results.filter(isMissed));
  }
  if (missed.length > 0) process.exitCode = 1;
}
