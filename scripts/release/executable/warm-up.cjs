'use strict';
// Runs typical commands against the sandbox of `ucctl sandbox exec`, and stores the code that V8 compiled (compile.cjs).
// Usage: node warm-up.cjs PACKAGE_FOLDER COMPILED_FOLDER, as the command of `ucctl sandbox exec`
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

const [, , folder, compiled] = process.argv;
const { UCCTL_SANDBOX_USERNAME: username } = process.env;
// A port on which no server listens.
const unreachable = ['--base-url', 'http://127.0.0.1:9', '--retry', '0'];

/** Command lines with their exit codes. Each loads other files, and functions that were not called are compiled when they are needed. */
const commands = [
  { words: ['--version'], expected: 0 },
  { words: ['queue', 'list', '--help'], expected: 0 },
  { words: ['__complete', 'words', '=que'], expected: 0 },
  { words: ['config', 'list', '-o', 'json'], expected: 0 },
  { words: ['queue', 'list', ...unreachable, '-o', 'table'], expected: 7 },
  { words: ['message', 'list', ...unreachable, '-o', 'json'], expected: 7 },
  { words: ['login', '--flow', 'password', '--username', username], expected: 0 },
  { words: ['queue', 'list', '-o', 'table'], expected: 0 },
  { words: ['queue', 'list', '-o', 'json'], expected: 0 },
];

for (const { words, expected } of commands) {
  const args = ['--predictable', join(__dirname, 'compile.cjs'), folder, compiled, ...words];
  // Without a session, a command for another address fails before its request.
  const env = words.includes('http://127.0.0.1:9')
    ? { ...process.env, UCCTL_TOKEN: 'token-of-the-build' }
    : process.env;
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status === expected) continue;
  process.stderr.write(`${words.join(' ')}: exit code ${status} instead of ${expected}\n${stderr}`);
  process.exitCode = 1;
  break;
}
