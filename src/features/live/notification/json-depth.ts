/** Whether brackets of a JSON text nest deeper than `most`. Looks at characters only: the text need not be valid. */
export function isDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return false;
}

const [quote, openBrace, openBracket, closeBrace, closeBracket] = [0x22, 0x7b, 0x5b, 0x7d, 0x5d];

/** Index of the quote that ends the string begun at `start`; the end of the text when none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let slashes = 0;
  while (text[index - slashes - 1] === '\\') slashes += 1;
  return slashes % 2 === 1;
}
