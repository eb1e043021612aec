// Writes what the process has loaded at its end to the file that UCCTL_LOADED names. Loaded with --require.
const { statSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const files = Object.keys(require.cache).filter((file) => file !== __filename);
  // Those of native modules are not compiled.
  const bytes = files
    .filter((file) => !file.endsWith('.node'))
    .reduce((sum, file) => sum + statSync(file).size, 0);
  // Node's own, by the names by which it lists them.
  const builtins = process.moduleLoadList
    .filter((name) => name.startsWith('NativeModule '))
    .map((name) => name.slice('NativeModule '.length));
  writeFileSync(process.env.UCCTL_LOADED, JSON.stringify({ files, bytes, builtins }));
});
