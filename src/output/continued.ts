import type { Sink } from '../runtime/system.ts';

type LastBytes = NonNullable<Sink['lastBytes']>;

/** Looked at first; more, when not one whole line lies in it, up to what no line of an event reaches. */
const [firstLook, widestLook] = [64 * 1024, 32 * 1024 * 1024];
const lineFeed = 0x0a;

/** What a file says at its end: whole lines, and what comes behind the last of them. */
interface FileEnd {
  readonly known: ReadonlySet<unknown>;
  readonly cut: Buffer;
}

/**
 * Lines of a live stream that goes on in a file where an earlier run was killed. Between its last line and the note of it the kill may have
 * come: so the rows that the file ends with are left out, and a line that was cut is finished. Only rows at the beginning are compared: one that
 * comes later has come anew.
 * @returns gives for each row and its line the text to write; empty for one that is there.
 */
export function continuedLines(
  lastBytes: LastBytes,
  unique: string,
): (row: object, line: string) => Promise<string> {
  let end: FileEnd | undefined;
  let goesOn = false;
  return async (row, line) => {
    if (goesOn) return line;
    end ??= await endOf(lastBytes, unique);
    const value = memberOf(row, unique);
    if (value !== undefined && end.known.has(value)) return '';
    goesOn = true;
    return restOf(line, end.cut);
  };
}

function restOf(line: string, cut: Buffer): string {
  if (cut.length === 0) return line;
  const bytes = Buffer.from(line);
  // A character that was cut cannot be finished by text.
  const isWhole = ((bytes[cut.length] ?? 0) & 0xc0) !== 0x80;
  const isBegun = bytes.subarray(0, cut.length).equals(cut);
  return isBegun && isWhole ? bytes.subarray(cut.length).toString() : `\n${line}`;
}

async function endOf(lastBytes: LastBytes, unique: string): Promise<FileEnd> {
  for (let look = firstLook; ; look *= 8) {
    const bytes = Buffer.from(await lastBytes(look));
    const isAll = bytes.length < look;
    const last = bytes.lastIndexOf(lineFeed);
    // What lies before the first line feed may be the rest of a line that begins further ahead.
    const first = isAll ? 0 : bytes.indexOf(lineFeed) + 1;
    if (!isAll && last < first && look < widestLook) continue;
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

/** Texts only: numbers of a line may have lost digits. */
function memberOf(row: unknown, name: string): string | undefined {
  const value: unknown = (row as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}
