import { safe, safeLines } from '../platform/terminal-text.ts';
import { lookupTable } from '../platform/lookup-table.ts';

export type StyleKind = 'good' | 'bad' | 'warning' | 'dim' | 'strong';

/** Colors a text whose control characters are already escaped. */
export type Paint = (kind: StyleKind, text: string) => string;

const plain: Paint = (_kind, text) => text;

/** Loads the color library, if colors are wanted. */
export async function loadPaint(colored: boolean): Promise<Paint> {
  if (!colored) return plain;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const styles: Readonly<Record<StyleKind, (text: string) => string>> = {
    good: chalk.green,
    bad: chalk.red,
    warning: chalk.yellow,
    dim: chalk.dim,
    strong: chalk.bold,
  };
  return (kind, text) => styles[kind](text);
}

const kindOf: Readonly<Record<string, StyleKind>> = lookupTable({
  g: 'good',
  b: 'bad',
  w: 'warning',
  d: 'dim',
  s: 'strong',
});

/**
 * Marks styled pieces inside a text before its control characters are escaped, so that colors survive. The mark
 * contains a random word, so that text from the service cannot imitate it.
 */
export class StyleMarks {
  // Created at the first use: most commands style nothing, and random numbers slow down the start.
  #made: { readonly word: string; readonly token: RegExp } | undefined;

  get #marks(): { readonly word: string; readonly token: RegExp } {
    if (this.#made) return this.#made;
    const word = Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
    this.#made = { word, token: new RegExp(`(\uFDD0${word}[gbwds]|\uFDD1${word})`, 'u') };
    return this.#made;
  }

  mark(kind: StyleKind, text: string): string {
    const { word } = this.#marks;
    return `\uFDD0${word}${kind.charAt(0)}${text}\uFDD1${word}`;
  }

  /** Escapes control characters in `text` and colors its marked pieces. `lines` preserves line breaks. */
  finish(text: string, paint: Paint, lines = false): string {
    const clean = lines ? safeLines : safe;
    if (!this.#made) return clean(text);
    const { word, token } = this.#made;
    const open: { readonly kind: StyleKind; text: string }[] = [];
    let done = '';
    const add = (piece: string): void => {
      const innermost = open.at(-1);
      if (innermost) innermost.text += piece;
      else done += piece;
    };
    for (const piece of text.split(token)) {
      if (piece === `\uFDD1${word}`) {
        const closed = open.pop();
        if (closed) add(paint(closed.kind, closed.text));
      } else if (piece.startsWith(`\uFDD0${word}`)) {
        open.push({ kind: kindOf[piece.slice(-1)] ?? 'strong', text: '' });
      } else {
        add(clean(piece));
      }
    }
    for (let rest = open.pop(); rest; rest = open.pop()) add(rest.text);
    return done;
  }
}
