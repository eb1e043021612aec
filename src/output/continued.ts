import type { Sink } from '../runtime/streams.ts';

type LastBytes = NonNullable<Sink['lastBytes']>;

/**
 * Bytes to read from the end of the file: initially, and at most if the initial bytes contain no whole line.
 * No event is longer than the maximum.
 */
const [firstBytes, maxBytes] = [64 * 1024, 32 * 1024 * 1024];
const lineFeed = 0x0a;

/** The end of a file: the IDs of its whole lines, and an incomplete last line. */
interface FileEnd {
  readonly known: ReadonlySet<unknown>;
  readonly cut: Buffer;
}

/**
 * Continues a live stream in a file where an earlier run was killed. The earlier run may have been killed after it
 * wrote a line and before it recorded the line, so rows at the end of the file are skipped, and an incomplete line is
 * completed. Only the first rows are compared: a row that comes after a new one has been received again.
 * @returns a function that gives the text to write for a row and its line; empty for a row that is in the file.
 */
export function continuedLines(
  lastBytes: LastBytes,
  unique: string,
): (row: object, line: string) => Promise<string> {
  let end: FileEnd | undefined;
  let isPastFile = false;
  return async (row, line) => {
    if (isPastFile) return line;
    end ??= await endOf(lastBytes, unique);
    const value = memberOf(row, unique);
    if (value !== undefined && end.known.has(value)) return '';
    isPastFile = true;
    return restOf(line, end.cut);
  };
}

function restOf(line: string, cut: Buffer): string {
  if (cut.length === 0) return line;
  const bytes = Buffer.from(line);
  // The text cannot be continued after a truncated UTF-8 character.
  const isWhole = ((bytes[cut.length] ?? 0) & 0xc0) !== 0x80;
  const isBegun = bytes.subarray(0, cut.length).equals(cut);
  return isBegun && isWhole ? bytes.subarray(cut.length).toString() : `\n${line}`;
}

async function endOf(lastBytes: LastBytes, unique: string): Promise<FileEnd> {
  for (let look = firstBytes; ; look *= 8) {
    const bytes = Buffer.from(await lastBytes(look));
    const isAll = bytes.length < look;
    const last = bytes.lastIndexOf(lineFeed);
    // Bytes before the first line feed may belong to a line that starts earlier.
    const first = isAll ? 0 : bytes.indexOf(lineFeed) + 1;
    if (!isAll && last < first && look < maxBytes) continue;
    const lines = bytes
      .subarray(first, last + 1)
      .toString()
      .split('\n');
    return {
      known: new Set(
        lines.map((line) => memberOf(parsed(line), unique)).filter((value) => value !== undefined),
      ),
      cut: bytes.subarray(last + 1),
    };
  }
}

function parsed(line: string): unknown {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns a member with a text value. Numbers are ignored, because parsing may have lost digits. */
function memberOf(row: unknown, name: string): string | undefined {
  const value: unknown = (row as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}
