import type { Fragment } from './fragment.ts';

interface Text extends Omit<Fragment, 'file'> {
  text: string;
}

/** The headings, paragraphs, list items and table cells of a document as prose, and each line of a code block as a string. */
export function documentTexts(source: string): readonly Omit<Fragment, 'file'>[] {
  const found: Text[] = [];
  let isCode = false;
  /** Whether the next line continues the last text. */
  let isOpen = false;
  for (const [index, whole] of source.split('\n').entries()) {
    const text = whole.trim();
    const line = index + 1;
    const isFence = text.startsWith('```');
    const last = found.at(-1);
    if (isFence) isCode = !isCode;
    else if (isCode && text !== '') found.push({ line, kind: 'string', text });
    else if (isOpen && last && isContinuation(text)) last.text += ` ${text}`;
    else for (const part of blockTexts(text)) found.push({ line, kind: 'prose', text: part });
    isOpen = !isFence && !isCode && text !== '' && !/^[#|]/.test(text);
  }
  return found;
}

function isContinuation(text: string): boolean {
  return text !== '' && !/^(?:#|\||[-*+] |\d+\. |[-=]{3,}$)/.test(text);
}

function blockTexts(text: string): readonly string[] {
  const cells = text.startsWith('|') ? text.split(/(?<!\\)\|/) : [text.replace(/^(?:#+|[-*+]|\d+\.) /, '')];
  return cells.map((cell) => cell.trim()).filter((cell) => /[A-Za-z]/.test(cell));
}
