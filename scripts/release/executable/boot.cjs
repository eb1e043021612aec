'use strict';
// The entry of the single executable. It loads the files of the package from the assets of the executable, with the code that V8
// compiled at the build (compile.cjs). docs/adr/0071-single-executable.md explains why.
const { posix } = require('node:path');
const { Script } = require('node:vm');

const head = '(function (exports, require, module, __filename, __dirname) { ';
const scripts = new Set(['keychain-child', 'query-child']);

/**
 * A loader of CommonJS modules from a package that is not a folder.
 * @param text returns the text of a file by its path in the package, such as `dist/cli/main.cjs`
 * @param compiled returns the cached data of V8 for a file, or undefined
 * @param onScript is called with each path and its compiled script
 * @param root folder of the package in the paths that the modules see
 */
function createLoader({ text, compiled, onScript, root }) {
  const loaded = new Map();
  const load = (path) => {
    const known = loaded.get(path);
    if (known) return known.exports;
    const filename = posix.join(root, path);
    const source = text(path).replace(/^#!.*/, '');
    const script = new Script(`${head}${source}\n})`, { filename, cachedData: compiled(path) });
    onScript?.(path, script);
    const module = { exports: {}, id: filename, filename };
    loaded.set(path, module);
    const folder = posix.dirname(path);
    const requireFrom = (id) => (id.startsWith('.') ? load(posix.join(folder, id)) : require(id));
    Reflect.apply(script.runInThisContext(), module.exports, [
      module.exports,
      requireFrom,
      module,
      filename,
      posix.dirname(filename),
    ]);
    return module.exports;
  };
  return load;
}

/** Runs ucctl with the arguments of this process. */
function run({ text, ...more }) {
  const load = createLoader({ text, ...more });
  const [, , word, script] = process.argv;
  // Child processes of ucctl that run a script (src/platform/package-file.ts).
  if (word === '__script' && scripts.has(script)) return load(`dist/cli/${script}.cjs`);
  const { launch } = load('bin/ucctl.cjs');
  return launch({
    text: (path) => text(`dist/${path}`),
    load: (path) => load(`dist/${path}`),
    start: [],
    beforeProgram: () => undefined,
  });
}

const sea = require('node:sea');
if (sea.isSea()) {
  const { getAsset, getRawAsset } = sea;
  const optional = (read) => {
    try {
      return read();
    } catch {
      return undefined;
    }
  };
  run({
    text: (path) => optional(() => getAsset(path, 'utf8')),
    compiled: (path) => optional(() => new Uint8Array(getRawAsset(`compiled/${path}`))),
    // No function of Node can open a path inside the executable.
    root: posix.join(process.execPath, 'package'),
  });
} else module.exports = { run };
