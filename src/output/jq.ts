import type { Jq } from 'jq-wasm';
import { stringifyJson } from '../platform/json.ts';
import { safeQuoted, escapeJson } from '../platform/terminal-text.ts';
import { usageError } from '../errors/command.ts';
import type { OutputFormat } from '../runtime/output.ts';
import { pickFields } from './fields.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';

/** One call of jq costs about a millisecond, whatever it is given. */
const batchRows = 500;

/**
 * JSON through a jq expression: `json` filters the document as a whole, `ndjson` and live events filter record by record. Texts come out raw, as
 * `jq -r` has it, other results as one line of JSON each.
 * @throws {CommandError} `usage` for another format, and for an expression that does not work.
 */
export async function jqRenderer(
  format: OutputFormat,
  expression: string,
  surface: Surface,
): Promise<Renderer> {
  const jq = await jqFor(format);
  const textOf = (row: object): string => stringifyJson(pickFields(row, surface.fields));
  const filter = (text: string, onTaken?: () => void): Promise<void> =>
    surface.write(filtered(jq, text, expression), onTaken);
  const inBatches = async <T extends object>(rows: Rows<T>): Promise<number> => {
    let count = 0;
    const batch: string[] = [];
    for await (const row of rows) {
      count += 1;
      batch.push(textOf(row));
      if (batch.length >= batchRows) await filter(batch.splice(0).join('\n'));
    }
    if (batch.length > 0) await filter(batch.join('\n'));
    return count;
  };
  const asDocument = async <T extends object>(rows: Rows<T>): Promise<number> => {
    const texts: string[] = [];
    for await (const row of rows) texts.push(textOf(row));
    await filter(`[${texts.join(',')}]`);
    return texts.length;
  };
  return {
    list: (rows) => (format === 'json' ? asDocument(rows) : inBatches(rows)),
    record: (row) => filter(textOf(row)),
    stream: async (rows, view) => {
      for await (const row of rows) await filter(textOf(row), view.onTaken);
    },
  };
}

/**
 * Checks an expression before a command does anything.
 * @throws {CommandError} `usage` for another format than JSON, and for an expression that cannot be read.
 */
export async function checkJq(format: OutputFormat, expression: string): Promise<void> {
  const jq = await jqFor(format);
  // Without input nothing is evaluated: what fails now is the expression itself.
  filtered(jq, '', expression);
}

async function jqFor(format: OutputFormat): Promise<Jq> {
  if (format !== 'json' && format !== 'ndjson') {
    throw usageError(`--jq does not go with -o ${format}`, 'it filters JSON: use -o json or -o ndjson');
  }
  const { openJq } = await import('../platform/jq.ts');
  return openJq();
}

function filtered(jq: Jq, text: string, expression: string): string {
  const { stdout, stderr, exitCode } = jq.raw(text, expression, ['-c']);
  if (exitCode !== 0) throw usageError(`--jq: ${stderr.replace(/^jq: /, '').trim()}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${line.startsWith('"') ? safeQuoted(String(JSON.parse(line))) : escapeJson(line)}\n`)
    .join('');
}
