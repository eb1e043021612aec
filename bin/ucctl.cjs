#!/usr/bin/env node
'use strict';
// Answers what needs no program (version, root help) from texts made at build time; loads the program for everything else.
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

/** A reader that has seen enough is no failure; a full disk is. */
function reportLost({ code, message }) {
  if (code === 'EPIPE') return;
  process.exitCode = 12;
  process.stderr.on('error', () => {});
  process.stderr.write(`error: the text could not be written to stdout: ${message}\n`);
}

/** As src/main.ts has it. */
function homeDirectory() {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // Nobody knows one.
    }
  }
  return '';
}

/** Caches compiled code in the user's cache folder; from Node 22 on by Node's own means. */
function keepCompiled() {
  if (!existsSync(`${cli}build.txt`)) return;
  require(`${cli}code-cache.cjs`).keepCompiled({
    // Not asked for on Node 20, where it is missing and node:module costs a start.
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
  // For the scripts of `ucctl completion`, at every Tab: as little as possible is loaded, and nothing is sent.
  const { answer } = require(`${dist}completion/answer.cjs`);
  const table = JSON.parse(readFileSync(`${dist}completion/table.json`, 'utf8'));
  const { env, platform } = process;
  process.stdout.on('error', () => {});
  process.stdout.write(answer(words.slice(1), table, { env, platform, homeDirectory: homeDirectory() }));
} else {
  const file = staticText();
  if (file && existsSync(cli + file)) {
    process.stdout.on('error', reportLost);
    process.stdout.write(readFileSync(cli + file, 'utf8'));
  } else {
    keepCompiled();
    require(`${cli}main.cjs`);
  }
}
