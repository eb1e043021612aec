/** What became of one row of the input. */
export interface RowResult {
  readonly status: string;
  readonly action: string;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly requestId: string | undefined;
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly time: number | undefined;
}

/** The rows that a run was given, and how they looked: kept in the journal for the results file. */
export interface RunInput {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const added = ['status', 'action', 'code', 'message', 'request id', 'attempts', 'time'] as const;

/**
 * The results file: the input's columns as they were, then what became of each row (RFC 4180). A file of results given as input again has its
 * columns replaced, not doubled; `action` stays where the input has it.
 */
export function resultsCsv(
  input: RunInput,
  results: readonly { readonly row: readonly string[]; readonly result: RowResult }[],
): string {
  const own = input.headings.map((heading) => heading.trim().toLowerCase());
  const kept = own.flatMap((heading, index) =>
    (added as readonly string[]).includes(heading) && heading !== 'action' ? [] : [index],
  );
  const columns = added.filter((column) => column !== 'action' || !own.includes('action'));
  const lines = [
    [...kept.map((index) => input.headings[index] ?? ''), ...columns],
    ...results.map(({ row, result }) => [
      ...kept.map((index) => row[index] ?? ''),
      ...columns.map((column) => cellOf(result, column)),
    ]),
  ];
  return lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}

function cellOf(result: RowResult, column: (typeof added)[number]): string {
  switch (column) {
    case 'request id':
      return result.requestId ?? '';
    case 'attempts':
      return String(result.attempts);
    case 'time':
      return result.time === undefined ? '' : new Date(result.time).toISOString();
    case 'message':
      // The service's words must not run as a formula where the file is opened.
      return (result.message ?? '').replace(/^(?=[=+\-@\t\r])/, "'");
    case 'status':
    case 'action':
    case 'code':
    default:
      return result[column] ?? '';
  }
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
