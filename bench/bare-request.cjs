// Minimal programs that do one part of the work of `ucctl queue list`, for the limits of the benchmarks `startup` and `executable`.
// Usage: node bare-request.cjs http URL TOKEN, or undici URL TOKEN FOLDER (of the bundle of bare-undici.cjs), or keychain.
'use strict';
const [kind, url, token, folder] = process.argv.slice(2);

function withHttp() {
  require('node:http').get(url, { headers: { authorization: `Bearer ${token}` } }, (reply) => {
    reply.setEncoding('utf8');
    let text = '';
    reply.on('data', (piece) => (text += piece));
    reply.on('end', () => print(JSON.parse(text)));
  });
}

/** With cached code on every version of Node, and with the flag of V8 that ucctl sets on Node 20. */
async function withUndici() {
  const { cacheCompiledCode, changeFlags } = require('../dist/cli/code-cache.cjs');
  const isOld = Number.parseInt(process.versions.node, 10) < 22;
  cacheCompiledCode({
    extensions: require.extensions,
    program: folder,
    build: 'bare',
    runtime: `${process.version}-${process.arch}`,
    env: { UCCTL_CACHE_DIR: folder },
    platform: process.platform,
    homeDirectory: folder,
    pid: process.pid,
    now: Date.now(),
    onExit: (listener) => process.once('exit', listener),
  });
  const { createPool, send } = require(`${folder}/bare-undici.cjs`);
  const { origin, pathname, search } = new URL(url);
  const headers = { authorization: `Bearer ${token}` };
  const { setFlagsFromString } = require('node:v8');
  if (isOld)
    changeFlags(
      () => setFlagsFromString('--liftoff-only'),
      () => setFlagsFromString('--no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering'),
    );
  print(await send(createPool(origin), { origin, path: pathname + search, method: 'GET', headers }));
}

function print({ records }) {
  process.stdout.write(`${JSON.stringify(records, undefined, 2)}\n`);
}

/** Only reads an item, without a request. An item that does not exist also needs a query. */
async function fromKeychain() {
  const { AsyncEntry } = require('@napi-rs/keyring');
  await new AsyncEntry('ucctl', 'bench', { linux: { store: 'secret-service' } }).getSecret();
}

if (kind === 'http') withHttp();
else if (kind === 'undici') void withUndici();
else void fromKeychain();
