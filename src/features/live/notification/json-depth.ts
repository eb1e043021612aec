/** Whether the brackets of a JSON text nest deeper than `max`. The text need not be valid JSON. */
export function isDeeperThan(text: string, max: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return false;
}

/** Returns the index after the object that starts at `start`; -1 if the object does not end. */
export function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === openBrace) depth += 1;
    else if (code === closeBrace) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}

const [quote, openBrace, openBracket, closeBrace, closeBracket] = [0x22, 0x7b, 0x5b, 0x7d, 0x5d];

/**
 * Returns the index of the closing quote of the string that starts at `start`; the length of the text if there is no
 * closing quote.
 */
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
