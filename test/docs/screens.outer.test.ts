import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { svgOf, textOf } from '../../scripts/screens/ansi-svg.ts';
import { pageScenes } from '../../scripts/screens/pages.ts';
import { scenes } from '../../scripts/screens/scenes.ts';
import { chromiumMissing } from '../support/chromium.ts';
import { open, startProcess, type Ended } from '../support/process.ts';
import { terminalMissing } from '../support/terminal.ts';

const missing = terminalMissing();
const noBrowser = missing ?? chromiumMissing();

let check: Promise<Ended> | undefined;
/** Makes all pictures in one process, those of web pages only if there is a browser. */
function checked(): Promise<Ended> {
  // Pages are made only if they are named.
  const all = [...scenes, ...pageScenes].map(({ name }) => name);
  const names = noBrowser === undefined ? all : [];
  check ??= startProcess(process.execPath, ['scripts/run.mjs', 'screens', '--check', ...names], {
    input: open,
  }).ended;
  return check;
}

describe('pictures of the terminal', () => {
  it('keep colours, columns and special characters', () => {
    const svg = svgOf(['a \u001B[1;32m<b>\u001B[0m   \u001B[38;5;196mc\u001B[39m', 'd'], 20, 'x & y');
    expect(textOf(svg).split('\n')).toEqual(['x &amp; y', 'a', '&lt;b&gt;', 'c', 'd']);
    expect(svg).toMatch(/x="30.8"[^>]*fill="#7ee787"[^>]*font-weight="700"[^>]*>&lt;b&gt;/);
    expect(svg).toMatch(/x="81.2"[^>]*fill="#ff0000"[^>]*>c</);
  });

  it('exist for every scene, and every one is used in a document', () => {
    const files = readdirSync('docs/screens');
    const stored = files.flatMap((file) => (file.endsWith('.svg') ? [file.replace(/\.svg$/, '')] : []));
    expect(stored.toSorted()).toEqual(scenes.map(({ name }) => name).toSorted());
    const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => readFileSync(`docs/${file}`, 'utf8'))
      .join('\n');
    const all = documents + readFileSync('README.md', 'utf8');
    expect(files.filter((file) => !all.includes(`screens/${file}`))).toEqual([]);
  });

  it.skipIf(missing)(
    `show what the program prints${missing === undefined ? '' : ` (${missing})`}`,
    async () => {
      expect(await checked()).toMatchObject({ exit: 0, stderr: '' });
    },
  );

  it.skipIf(noBrowser)(
    `of web pages can be made${noBrowser === undefined ? '' : ` (${noBrowser})`}`,
    async () => {
      expect(await checked()).toMatchObject({ exit: 0, stderr: '' });
    },
  );
});
