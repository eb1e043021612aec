// Creates the pictures of the documentation (docs/screens): plays each scene in a real terminal (tmux) against a
// sandbox and draws the screen. Web pages
// are pictures of a real browser.
// Usage: node scripts/run.mjs screens [NAME...]. Without names, it creates all pictures, and keeps a stored picture of
// the terminal if only times, IDs and bars differ.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { svgOf, textOf } from './screens/ansi-svg.ts';
import { pageColumns, pageScenes, playPages, type PageScene } from './screens/pages.ts';
import { openPane, type Pane } from './screens/pane.ts';
import { scenes } from './screens/scenes.ts';

const folder = join('docs', 'screens');
const [option, ...rest] = process.argv.slice(2);
/** With --check nothing is written: the texts of new and stored pictures are compared, without regard to digits. Unchecked scenes are skipped. */
const isCheck = option === '--check';
const names = isCheck || option === undefined ? rest : [option, ...rest];
const chosen = scenes.filter(
  ({ name, isUnchecked }) => (names.length === 0 || names.includes(name)) && !(isCheck && isUnchecked),
);

const differing: string[] = [];
if (chosen.length > 0) await makeScreens();
// A check opens the pages only if they are named.
const isChosenPage = ({ name }: { readonly name: string }): boolean =>
  names.length === 0 ? !isCheck : names.includes(name);
await makePages(pageScenes.filter(isChosenPage));
if (differing.length > 0) {
  process.stderr.write(
    `these pictures are out of date; run "node scripts/run.mjs screens":\n  ${differing.join('\n  ')}\n`,
  );
  process.exitCode = 1;
}

/** Plays the chosen scenes of the terminal, and stores or compares their pictures. */
async function makeScreens(): Promise<void> {
  const pane = openPane(100, 24);
  try {
    await signIn(pane);
    mkdirSync(folder, { recursive: true });
    for (const scene of chosen) {
      await pane.resize(scene.columns, scene.rows);
      await pane.clear();
      const svg = svgOf(withoutPrompt(await scene.play(pane)), scene.columns, scene.title);
      const file = join(folder, `${scene.name}.svg`);
      const differences = existsSync(file) ? differencesOf(file, readFileSync(file, 'utf8'), svg) : [file];
      if (isCheck) differing.push(...differences);
      else if (names.length > 0 || differences.length > 0) writeFileSync(file, svg);
    }
  } finally {
    pane.close();
  }
}

/**
 * Creates pictures of web pages. A check opens the pages but does not compare the pictures, because pixels depend on
 * the fonts of the machine.
 */
async function makePages(pages: readonly PageScene[]): Promise<void> {
  if (pages.length === 0) return;
  // The last scenes leave their terminal with another sandbox and profile.
  const terminal = openPane(pageColumns, 40);
  try {
    await signIn(terminal);
    await playPages(terminal, pages, (name, png) => {
      if (!isCheck) writeFileSync(join(folder, `${name}.png`), png);
    });
  } finally {
    terminal.close();
  }
}

/** Starts a sandbox behind the prompt and signs in to it. */
async function signIn(terminal: Pane): Promise<void> {
  terminal.type(
    'ucctl sandbox start --dialect current --rate-limits off --ready-file ready.json > sandbox.log 2>&1 & clear',
  );
  await terminal.prompt();
  terminal.type('until [ -s sandbox.log ]; do sleep 0.1; done; clear');
  await terminal.prompt();
  terminal.type('eval "$(ucctl sandbox env)"; export UCCTL_PASSWORD=Sandbox-100');
  const login = 'ucctl login --flow jwt --assertion-stdin --store file -q > /dev/null 2>&1';
  terminal.type(`ucctl sandbox assertion 100 | ${login} && clear`);
  await terminal.prompt();
  await terminal.until(/^\$$/);
}

/** The screen without the prompt that waits for the next command. */
function withoutPrompt(lines: readonly string[]): readonly string[] {
  return stripVTControlCharacters(lines.at(-1) ?? '').trim() === '$' ? lines.slice(0, -1) : lines;
}

/**
 * The distinct words of a picture, without parts that depend on the time of the run: times, dates, numbers and IDs,
 * bars and the heat map of
 * `calllog stats`. Repeated lines count once, because calls on both sides of a full hour make two rows.
 */
function comparable(svg: string): readonly string[] {
  const ago = /just now|\d+ (s|min) ago/g;
  const weekday = /\b(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?\b/g;
  const month =
    /\b(Jan(uary)?|Feb(ruary)?|Mar(ch)?|Apr(il)?|May|June?|July?|Aug(ust)?|Sep(tember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?)\b/g;
  const lines = textOf(svg)
    .replaceAll(ago, '0 s ago')
    .replaceAll(weekday, 'Day')
    .replaceAll(month, 'Month')
    .replaceAll(/\S*\d\S*/g, '0')
    .replaceAll(/[·▁-▏]+/g, 'bar')
    .split('\n');
  return [...new Set(lines)];
}

/** The name of a picture whose lines differ, with these lines. Empty if the pictures are equal. */
function differencesOf(file: string, storedSvg: string, madeSvg: string): readonly string[] {
  const [stored, made] = [comparable(storedSvg), comparable(madeSvg)];
  if (stored.join('\n') === made.join('\n')) return [];
  const missing = stored.filter((line) => !made.includes(line)).map((line) => `  stored: ${line}`);
  const added = made.filter((line) => !stored.includes(line)).map((line) => `  made:   ${line}`);
  return [file, ...missing, ...added];
}
