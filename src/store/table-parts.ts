/** The columns of a table, and its primary and unique keys such as `primary key (owner, grp)`. */
export interface TableParts {
  readonly columns: readonly string[];
  readonly keys: readonly string[];
}

/** Reads the list of columns and keys that begins at the first parenthesis of an SQL text. */
export function partsOfTable(sql: string): TableParts {
  const columns: string[] = [];
  const keys: string[] = [];
  for (const item of itemsOf(sql)) {
    const [, kind, list = ''] = /^(primary key|unique) ?\(([^)]*)\)/i.exec(item) ?? [];
    if (kind !== undefined) {
      keys.push(keyOf(kind, list));
      continue;
    }
    const [column = ''] = /^\w+/.exec(item) ?? [];
    columns.push(column);
    const [, own] = / (primary key|unique)\b/i.exec(item) ?? [];
    if (own !== undefined) keys.push(keyOf(own, column));
  }
  return { columns, keys };
}

function keyOf(kind: string, columns: string): string {
  return `${kind.toLowerCase().replace(/ key$/, '')} key (${columns})`;
}

/** Splits the text in the first parentheses at its commas. Commas in further parentheses and in texts do not count. */
function itemsOf(sql: string): readonly string[] {
  const items: string[] = [];
  let [depth, isText, item] = [0, false, ''];
  for (const character of sql) {
    if (character === "'") isText = !isText;
    if (!isText && character === ')') depth -= 1;
    if (!isText && depth === 1 && character === ',') {
      items.push(item);
      item = '';
    } else if (depth > 0) item += character;
    if (!isText && character === '(') depth += 1;
    else if (!isText && character === ')' && depth === 0) break;
  }
  return [...items, item].map((one) => one.trim());
}
