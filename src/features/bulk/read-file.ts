import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { fileFailureReason } from '../../platform/file-failure.ts';
import { readBounded } from '../../platform/read-bounded.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { decodeText, encodingNote } from './encoding.ts';
import { nameOf } from './input-name.ts';
import type { ListContent } from './rows.ts';
import { otherPlanError, type PlanNoun } from './saved-plan.ts';
import { isZip } from './workbook/zip.ts';
import { shellWord } from '../../platform/shell-quoted.ts';

/**
 * Reads a text of the user, such as a message, from a file or from standard input for `-`, without a byte-order mark. A
 * note names the encoding if it is not UTF-8.
 * @throws {CommandError} `unreadable_file` (exit 2) with the reason.
 */
export async function readTextFile(ctx: FileContext, file: string): Promise<string> {
  try {
    return decode(ctx, await bytesOf(ctx, file), file, ofText).replace(/^\uFEFF/, '');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Reads a file of the user. @throws {CommandError} `unreadable_file` (exit 2) with the reason. */
export async function readBinaryFile(ctx: Pick<Context, 'cwd'>, file: string): Promise<Buffer> {
  try {
    return await readBounded(createReadStream(resolve(ctx.cwd, file)));
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/**
 * Reads a text of the user, such as exported events, from a file or from standard input for `-`. A note names the
 * encoding if it is not UTF-8.
 * @throws {CommandError} `unreadable_file` (exit 2) with the reason, for example that the file is a workbook.
 */
export async function readListText(ctx: FileContext, file: string): Promise<string> {
  try {
    const bytes = await bytesOf(ctx, file);
    if (isZip(bytes))
      throw new RangeError(
        'the file is a workbook or an archive, not a text file; save the list as .xlsx or as CSV',
      );
    return decode(ctx, bytes, file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/**
 * Reads a list from a file of the user, or from standard input for `-`: CSV, YAML or a saved plan as text, or the rows
 * of an .xlsx workbook, which is recognized by its content. Notes name the encoding if it is not UTF-8, and the sheet
 * if there are several; warnings name cells whose value differs from what the sheet shows.
 * @param sheet the name of the sheet (`--sheet`); by default the first visible sheet
 * @param ownPlan the noun whose saved plans the command reads; by default, every saved plan is an error
 * @throws {CommandError} `unreadable_file` (exit 2) with the reason. `usage` for a saved plan of another command.
 */
export async function readListFile(
  ctx: FileContext,
  file: string,
  sheet?: string,
  ownPlan?: PlanNoun,
): Promise<ListContent> {
  const content = await readContent(ctx, file, sheet);
  const otherPlan = typeof content === 'string' ? otherPlanError(content, file, ownPlan) : undefined;
  if (otherPlan) throw otherPlan;
  return content;
}

async function readContent(ctx: FileContext, file: string, sheet: string | undefined): Promise<ListContent> {
  try {
    const bytes = await bytesOf(ctx, file);
    requireKnownFormat(bytes);
    if (isZip(bytes)) return await readSheet(ctx, bytes, file, sheet);
    if (sheet !== undefined)
      throw new RangeError('the file is not an .xlsx workbook, so --sheet cannot be used');
    return decode(ctx, bytes, file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** The part of the context that reading a list needs. */
interface FileContext {
  readonly cwd: string;
  readonly input: Pick<Context['input'], 'bytes'>;
  readonly out: Pick<Context['out'], 'note' | 'warn'>;
}

async function bytesOf(ctx: FileContext, file: string): Promise<Uint8Array> {
  return file === '-' ? ctx.input.bytes() : readBounded(createReadStream(resolve(ctx.cwd, file)));
}

/** Parts of the messages about the encoding of a file. */
interface EncodingAdvice {
  /** What to do with a file that is not text; undefined for a list. */
  readonly save?: string;
  /** When a guessed encoding is wrong. */
  readonly doubt: string;
}

const ofList: EncodingAdvice = { doubt: 'if names look wrong' };
const ofText: EncodingAdvice = { save: 'save it as UTF-8 text', doubt: 'if the text looks wrong' };

function decode(ctx: FileContext, bytes: Uint8Array, file: string, { save, doubt } = ofList): string {
  const { text, encoding } = decodeText(bytes, save);
  const note = encodingNote(nameOf(file), encoding, doubt);
  if (note !== undefined) ctx.out.note(note);
  return text;
}

async function readSheet(
  ctx: FileContext,
  bytes: Uint8Array,
  file: string,
  wanted: string | undefined,
): Promise<ListContent> {
  const { readWorkbook } = await import('./workbook/read-workbook.ts');
  const { rows, sheet, others, warnings } = await readWorkbook(bytes, wanted);
  if (wanted === undefined && others.length > 0) {
    ctx.out.note(
      `ucctl reads the sheet "${sheet}" of ${nameOf(file)}. For another sheet, use --sheet: ${others.map(shellWord).join(', ')}.`,
    );
  }
  for (const warning of warnings) ctx.out.warn(`${nameOf(file)}: ${warning}`);
  return { rows, broken: [] };
}

/** Rejects spreadsheet formats that ucctl recognizes but cannot read. @throws {RangeError} */
function requireKnownFormat(bytes: Uint8Array): void {
  const isOldWorkbook = [0xd0, 0xcf, 0x11, 0xe0].every((byte, index) => bytes[index] === byte);
  if (isOldWorkbook) {
    throw new RangeError(
      'the file is an old Excel workbook (.xls) or has a password; save it as .xlsx without a password, or as CSV',
    );
  }
  // An OpenDocument file begins with an entry "mimetype", which is not compressed.
  const start = Buffer.from(bytes.subarray(0, 100)).toString('latin1');
  if (isZip(bytes) && start.includes('mimetypeapplication/vnd.oasis.opendocument')) {
    throw new RangeError('the file is an OpenDocument file; save it as .xlsx or as CSV');
  }
}

function unreadable(file: string, cause: unknown): CommandError {
  const isStdin = file === '-';
  const name = nameOf(file);
  // The message of an error about the content already contains the next step.
  const isContent = cause instanceof RangeError;
  return new CommandError('unreadable_file', Exit.usage, `cannot read ${name}: ${fileFailureReason(cause)}`, {
    ...(!isStdin && !isContent && { hint: 'check the path, or use - for standard input' }),
    cause,
  });
}
