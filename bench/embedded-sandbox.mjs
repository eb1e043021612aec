// A test that starts sandboxes with the library. argv[2]: path of the library; argv[3]: number of further sandboxes, which stay open.
// Prints JSON { first, further: [milliseconds], megabytes }: `first` includes loading the library, and `megabytes` is the memory that
// each further sandbox adds. Run with --expose-gc.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const [, , library, count] = process.argv;
const resident = () => {
  globalThis.gc();
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
};
async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [result, performance.now() - start];
}

const [[startSandbox, firstSandbox], first] = await timed(async () => {
  const { startSandbox: start } = await import(library);
  return [start, await start()];
});
const open = [firstSandbox];
const further = [];
const start = async () => {
  const [sandbox, milliseconds] = await timed(() => startSandbox());
  open.push(sandbox);
  return milliseconds;
};
// The compiler of V8 works on the first few.
for (let warmUp = 0; warmUp < 5; warmUp += 1) further.push(await start());
const before = resident();
for (let index = 0; index < Number(count); index += 1) further.push(await start());
const megabytes = (resident() - before) / Number(count);
for (const sandbox of open) await sandbox.close();
process.stdout.write(JSON.stringify({ first, further, megabytes }));
