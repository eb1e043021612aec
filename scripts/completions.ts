import { mkdirSync, writeFileSync } from 'node:fs';
import { scriptFiles, scripts, type Shell } from '../src/commands/completion/scripts/index.ts';

// completions/, for package maintainers and for shells set up by hand; test/completion/shells.outer.test.ts compares.
mkdirSync('completions', { recursive: true });
for (const [shell, file] of Object.entries(scriptFiles)) {
  writeFileSync(`completions/${file}`, scripts[shell as Shell]);
}
