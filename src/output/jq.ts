import type { Jq } from 'jq-wasm';
import { stringifyJson } from '../platform/json.ts';
import { safeQuoted, escapeJson } from '../platform/terminal-text.ts';
import { type CommandError, usageError } from '../errors/command.ts';
import type { OutputFormat } from '../runtime/output.ts';
import { pickFields } from './fields.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';
import { resultLost } from './result-sink.ts';

/** Rows per call of jq, because each call takes about a millisecond. */
const batchRows = 500;

/**
 * Filters JSON with a jq expression: `json` as one document, `ndjson` and live events record by record. Text results are written raw, as by
 * `jq -r`, other results as one line of JSON each.
 * If the expression fails after the command made changes, `Surface.onUnfiltered` receives the JSON.
 * @throws {CommandError} `usage` for other formats, and for an expression that fails; `outcome_unknown` after changes.
 */
export async function jqRenderer(
  format: OutputFormat,
  expression: string,
  surface: Surface,
): Promise<Renderer> {
  const jq = await jqFor(format);
  const textOf = (row: object): string => stringifyJson(pickFields(row, surface.fields));
  let failure: CommandError | undefined;
  const filter = async (text: string, onWritten?: () => void): Promise<void> => {
    const result = filtered(jq, text, expression);
    if (typeof result === 'string') return surface.write(result, onWritten);
    if (!surface.onUnfiltered) throw result;
    // The command continues with its changes, and all its results are shown.
    surface.onUnfiltered(text);
    failure ??= result;
  };
  const throwFailure = (): void => {
    if (failure) throw unfiltered(failure);
  };
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
    async list(rows) {
      const count = await (format === 'json' ? asDocument(rows) : inBatches(rows));
      throwFailure();
      return count;
    },
    async record(row) {
      await filter(textOf(row));
      throwFailure();
    },
    async stream(rows, view) {
      for await (const row of rows) await filter(textOf(row), view.onWritten);
      throwFailure();
    },
  };
}

/**
 * Checks an expression before a command does anything.
 * @throws {CommandError} `usage` for formats other than JSON, and for an invalid expression.
 */
export async function checkJq(format: OutputFormat, expression: string): Promise<void> {
  const jq = await jqFor(format);
  // The expression is only compiled, because there is no input. So only an invalid expression fails.
  const result = filtered(jq, '', expression);
  if (typeof result !== 'string') throw result;
}

async function jqFor(format: OutputFormat): Promise<Jq> {
  if (format !== 'json' && format !== 'ndjson') {
    const table: Readonly<Record<string, string>> = { csv: '@csv', tsv: '@tsv' };
    const next = table[format];
    throw usageError(
      `--jq cannot be used with -o ${format}`,
      `--jq filters JSON: use -o json or -o ndjson${next === undefined ? '' : `; for ${format.toUpperCase()}: -o json --jq '.[] | [.id, .name] | ${next}'`}`,
    );
  }
  const { openJq } = await import('../platform/jq.ts');
  return openJq();
}

/** Error of jq for an expression such as `.records[]` that reads a member of an array. */
const arrayAsObject = 'Cannot index array with string';

/** Returns the filtered text, or the error of the expression. */
function filtered(jq: Jq, text: string, expression: string): string | CommandError {
  const { stdout, stderr, exitCode } = jq.raw(text, expression, ['-c']);
  if (exitCode !== 0)
    return usageError(
      `--jq: ${stderr.replace(/^jq: /, '').trim()}`,
      text.startsWith('[') && !expression.startsWith('.[') && stderr.includes(arrayAsObject)
        ? "the JSON is one array, so begin the expression with '.[]', such as --jq '.[].id'; to see the JSON, omit --jq"
        : 'fix the jq expression; to see the JSON that it filters, omit --jq',
    );
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${line.startsWith('"') ? safeQuoted(String(JSON.parse(line))) : escapeJson(line)}\n`)
    .join('');
}

/** Returns the error for an expression that failed after the command made changes. Exit code 2 would mean that nothing was sent. */
function unfiltered(failure: CommandError): CommandError {
  return resultLost(failure.message, failure, 'the unfiltered result is on stderr; ');
}
