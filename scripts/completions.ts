import { mkdirSync, writeFileSync } from 'node:fs';
import { scriptFiles, scripts, type Shell } from '../src/commands/completion/scripts/index.ts';

// Writes completions/, for package maintainers and for shells that are configured manually;
// test/completion/shells.outer.test.ts compares.
mkdirSync('completions', { recursive: true });
for (const [shell, file] of Object.entries(scriptFiles)) {
  writeFileSync(`completions/${file}`, scripts[shell as Shell]);
}
