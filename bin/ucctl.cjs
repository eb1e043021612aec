#!/usr/bin/env node
'use strict';
// Prints version and root help from texts made at build time; loads the program for everything else.
const { existsSync, readFileSync, realpathSync, writeSync } = require('node:fs');
const { homedir, userInfo } = require('node:os');
const { isAbsolute } = require('node:path');

const dist = `${__dirname}/../dist/`;
const cli = `${dist}cli/`;
const words = process.argv.slice(2);
const [word] = words;

function staticText() {
  if (words.length > 1) return undefined;
  if (word === '--version' || word === '-V' || word === 'version') return 'version.txt';
  if (word !== undefined && word !== '--help' && word !== '-h' && word !== 'help') return undefined;
  const { isTTY, columns } = process.stdout;
  // The texts are 80 columns wide.
  if (isTTY && columns < 80) return undefined;
  return word === undefined && isTTY ? 'first.txt' : 'help.txt';
}

/** Reports a failed write, unless the reader closed the pipe. */
function reportWriteError({ code, message }) {
  if (code === 'EPIPE') return;
  process.exitCode = 12;
  process.stderr.on('error', () => {});
  process.stderr.write(`error: ucctl could not write the result to stdout: ${message}\n`);
}

/** The same as in src/main.ts. */
function homeDirectory() {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // Neither HOME nor an account.
    }
  }
  return '';
}

/**
 * Runs a command that reads and caches names for completion, and calls `done` after it, but at the latest after 0.9
 * seconds. The command then continues, so that the next Tab offers the names and a renewed session is stored.
 */
function readNames(command, done) {
  const options = { detached: true, stdio: 'ignore', windowsHide: true };
  const child = require('node:child_process').spawn(process.execPath, [__filename, ...command], options);
  const timer = setTimeout(end, 900);
  let isDone = false;
  function end() {
    clearTimeout(timer);
    if (isDone) return;
    isDone = true;
    child.unref();
    done();
  }
  child.on('error', end);
  child.on('exit', end);
}

/** Caches compiled code in the user's cache folder; Node 22 and later have an own cache for it. */
function cacheCompiledCode() {
  if (!existsSync(`${cli}build.txt`)) return;
  require(`${cli}code-cache.cjs`).cacheCompiledCode({
    // Not loaded on Node 20, which has no compile cache, because loading node:module takes time.
    enableCompileCache:
      parseInt(process.versions.node, 10) >= 22 ? require('node:module').enableCompileCache : undefined,
    extensions: require.extensions,
    program: realpathSync(cli),
    build: readFileSync(`${cli}build.txt`, 'utf8'),
    runtime: `${process.version}-${process.arch}`,
    env: process.env,
    platform: process.platform,
    homeDirectory: homeDirectory(),
    pid: process.pid,
    now: Date.now(),
    onExit: (listener) => process.once('exit', listener),
  });
}

if (!existsSync(`${cli}main.cjs`)) {
  writeSync(2, 'ucctl is not built yet: dist/cli is missing\n  try:     npm run build\n');
  process.exitCode = 12;
} else if (word === '__complete') {
  // Called by the completion scripts at every Tab: loads as little as possible.
  const { answer, namesToRead } = require(`${dist}completion/answer.cjs`);
  const table = JSON.parse(readFileSync(`${dist}completion/table.json`, 'utf8'));
  const { env, platform } = process;
  const system = { env, platform, homeDirectory: homeDirectory(), now: Date.now() };
  process.stdout.on('error', () => {});
  const write = () => process.stdout.write(answer(words.slice(1), table, system));
  const command = namesToRead(words.slice(1), table, system);
  if (command) readNames(command, write);
  else write();
} else {
  const file = staticText();
  const text = file && existsSync(cli + file) ? readFileSync(cli + file, 'utf8') : undefined;
  // A text that does not fit the screen is left to the program, which starts a pager.
  if (text !== undefined && !(process.stdout.isTTY && text.split('\n').length > process.stdout.rows)) {
    process.stdout.on('error', reportWriteError);
    process.stdout.write(text);
  } else {
    cacheCompiledCode();
    require(`${cli}main.cjs`);
  }
}
