#!/usr/bin/env node
'use strict';
// By default Node opens its inspector, which exposes the tokens in memory to every program of this machine. This is the
// first statement, because a signal before it still does (docs/security.md).
process.on('SIGUSR1', () => {});

// Prints version and root help from texts made at build time; loads the program for everything else.
const { existsSync, fstatSync, readFileSync, realpathSync, writeSync } = require('node:fs');
const { homedir, userInfo } = require('node:os');
const { isAbsolute } = require('node:path');

const dist = `${__dirname}/../dist/`;
const words = process.argv.slice(2);
const [word] = words;

/** Returns the file of the text that answers this command line; undefined if the program must answer. */
function staticText() {
  if (words.length === 1 && (word === '--version' || word === '-V' || word === 'version'))
    return 'version.txt';
  const file = helpFile();
  if (file === undefined) return undefined;
  const { isTTY, columns } = terminal();
  // The texts are 80 columns wide.
  if (isTTY && columns < 80) return undefined;
  return word === undefined && isTTY ? 'first.txt' : file;
}

function helpFile() {
  const [, second] = words;
  if (words.length === 0) return 'help.txt';
  if (words.length === 1)
    return word === '--help' || word === '-h' || word === 'help' ? 'help.txt' : undefined;
  const isNounHelp = words.length === 2 && /^[a-z]+$/.test(word) && (second === '--help' || second === '-h');
  return isNounHelp ? `help/${word}.txt` : undefined;
}

/** Whether stdout is a pipe or a file. */
function isPlainOutput() {
  try {
    return !fstatSync(1).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Returns the properties of stdout as a terminal. They are read only if it can be one, because loading its stream takes a tenth of a short run. */
function terminal() {
  return isPlainOutput() ? { isTTY: false } : process.stdout;
}

/** Writes to stdout, without loading its stream if it is a pipe or a file, and reports a failure to `onError`. */
function print(text, onError) {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0 && isPlainOutput()) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    // The stream waits for the reader of a full pipe.
    if (error.code !== 'EAGAIN') return onError(error);
  }
  if (rest.length === 0) return undefined;
  process.stdout.on('error', onError);
  return process.stdout.write(rest);
}

/** Reports a failed write, unless the reader closed the pipe. The texts are the same as in src/output/result-sink.ts. */
function reportWriteError({ code, message }) {
  if (code === 'EPIPE') return;
  const reasons = { ENOSPC: 'the disk is full', EFBIG: 'the file size limit is reached (ulimit -f)' };
  process.exitCode = 12;
  process.stderr.on('error', () => {});
  process.stderr.write(`error: ucctl could not write the result to stdout: ${reasons[code] ?? message}\n`);
  process.stderr.write(
    '  try:     check the disk and the file that stdout goes to, and run the command again\n',
  );
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
function readNames({ start }, command, done) {
  const options = { detached: true, stdio: 'ignore', windowsHide: true };
  const child = require('node:child_process').spawn(process.execPath, [...start, ...command], options);
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

/** Caches compiled code in the user's cache folder. */
function cacheCompiledCode() {
  const cli = `${dist}cli/`;
  const build = existsSync(`${cli}build.txt`) ? readFileSync(`${cli}build.txt`, 'utf8') : '';
  if (!/^[0-9a-f]{16}$/.test(build)) return;
  require(`${cli}code-cache.cjs`).cacheCompiledCode({
    extensions: require.extensions,
    program: realpathSync(cli),
    build,
    runtime: `${process.version}-${process.arch}`,
    env: process.env,
    platform: process.platform,
    homeDirectory: homeDirectory(),
    pid: process.pid,
    now: Date.now(),
    onExit: (listener) => process.once('exit', listener),
  });
}

/**
 * Returns the program files that differ from those of the build, as after a full disk or an interrupted installation.
 * Empty if the process has too many open files to read them.
 */
function damagedFiles() {
  try {
    return differentFiles();
  } catch (error) {
    if (isOutOfFiles(error)) return [];
    throw error;
  }
}

function isOutOfFiles(error) {
  return error?.code === 'EMFILE' || error?.code === 'ENFILE';
}

function differentFiles() {
  const { createHash } = require('node:crypto');
  const list = existsSync(`${dist}cli/files.txt`) ? readFileSync(`${dist}cli/files.txt`, 'utf8') : '';
  const lines = list.split('\n').filter((line) => line !== '');
  // An incomplete list is damaged itself: its last line is the word `end`.
  if (lines.pop() !== 'end') return ['files.txt'];
  const digestOf = (name) => {
    try {
      return createHash('sha256')
        .update(readFileSync(`${dist}cli/${name}`))
        .digest('hex')
        .slice(0, 16);
    } catch (error) {
      if (isOutOfFiles(error)) throw error;
      return '';
    }
  };
  return lines
    .map((line) => line.split(' '))
    .filter(([digest, name]) => digestOf(name) !== digest)
    .map(([, name]) => name);
}

/** Handles a failure that the program cannot report, because it could not load a file. */
function explainFailure(error) {
  if (isOutOfFiles(error)) {
    writeSync(
      2,
      'error: this process has too many open files (ulimit -n)\n  try:     raise the limit of the shell (ulimit -n)\n',
    );
    process.exit(12);
  }
  exitIfDamaged();
}

function exitIfDamaged() {
  const [first, ...others] = damagedFiles();
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  writeSync(
    2,
    `error: the installation of ucctl is damaged: dist/cli/${first}${more}\n  try:     reinstall ucctl; in a checkout, run: npm run build\n`,
  );
  process.exit(12);
}

/** Runs the installed program. If it fails because its files are damaged, says so instead of showing a trace. */
function launchInstalled() {
  // src/platform/own-process.ts reads this, for failures of code that is loaded later.
  globalThis[Symbol.for('ucctl.damagedFiles')] = damagedFiles;
  process.on('uncaughtExceptionMonitor', explainFailure);
  const main = launch(installed);
  // An empty file loads without an error, and does nothing.
  if (main && !main.isLoaded) exitIfDamaged();
}

/** The package as files of an installation. The single executable passes its own (scripts/release/executable/boot.cjs). */
const installed = {
  /** The text of a file below `dist`; undefined if it does not exist. */
  text: (path) => (existsSync(dist + path) ? readFileSync(dist + path, 'utf8') : undefined),
  load: (path) => require(dist + path),
  /** Arguments between the path of the executable and the words of ucctl. */
  start: [__filename],
  beforeProgram: cacheCompiledCode,
};

function complete(files) {
  const { answer, namesToRead } = files.load('completion/answer.cjs');
  const table = JSON.parse(files.text('completion/table.json'));
  const { env, platform } = process;
  const system = { env, platform, homeDirectory: homeDirectory(), now: Date.now() };
  const write = () => print(answer(words.slice(1), table, system), () => {});
  const command = namesToRead(words.slice(1), table, system);
  if (command) readNames(files, command, write);
  else write();
}

function launch(files) {
  // Called by the completion scripts at every Tab: loads as little as possible.
  if (word === '__complete') return complete(files);
  const file = staticText();
  const text = file && files.text(`cli/${file}`);
  // A text that does not fit the screen is left to the program, which starts a pager.
  const { isTTY, rows } = text ? terminal() : {};
  if (text && !(isTTY && text.split('\n').length > rows)) {
    print(text, reportWriteError);
    return undefined;
  }
  files.beforeProgram();
  return files.load('cli/main.cjs');
}

/** Whether package.json permits this version of Node. npm only warns when it installs ucctl for another version. */
function isNodeSupported() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
}

function rejectNode() {
  writeSync(
    2,
    `error: ucctl needs Node 20.19, or 22.12 or later; this is Node ${process.versions.node}\n  try:     install a later version of Node, or the single executable of ucctl, which contains Node\n`,
  );
  process.exitCode = 12;
}

if (require.main !== module) module.exports = { launch };
else if (!isNodeSupported()) rejectNode();
else if (existsSync(`${dist}cli/main.cjs`)) launchInstalled();
else {
  writeSync(2, 'ucctl is not built yet: dist/cli is missing\n  try:     npm run build\n');
  process.exitCode = 12;
}
