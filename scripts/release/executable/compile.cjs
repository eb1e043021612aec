'use strict';
// Runs ucctl from a folder as the single executable does, and stores the code that V8 compiled in this run.
// Usage: node compile.cjs PACKAGE_FOLDER COMPILED_FOLDER WORDS...; node must be the one of the executable.
const { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { run } = require('./boot.cjs');

/** Timers of at least this many milliseconds run later by this factor. The warm-up runs need none of them. */
const [shortest, factor] = [100, 100];

// If a timer ran only on a busy machine, the compiled code would contain more functions than that of another build.
for (const name of ['setTimeout', 'setInterval']) {
  const start = globalThis[name];
  globalThis[name] = (callback, delay, ...more) =>
    start(callback, delay >= shortest ? Math.min(delay * factor, 2 ** 31 - 1) : delay, ...more);
}

const [, , folder, compiled, ...words] = process.argv;
const scripts = new Map();

process.argv = [process.execPath, process.execPath, ...words];
process.on('exit', () => {
  for (const [path, script] of scripts) {
    const file = join(compiled, path);
    const data = script.createCachedData();
    // If several runs compiled the same file, the largest result is retained, because it contains the most functions.
    if (existsSync(file) && statSync(file).size >= data.length) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, data);
  }
});
run({
  text: (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined),
  compiled: () => undefined,
  onScript: (path, script) => scripts.set(path, script),
  // Compiled code contains this path. It must not depend on the folder of the build.
  root: '/ucctl/package',
});
