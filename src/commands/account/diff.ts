import { join, resolve } from 'node:path';
import { Exit, type ExitCode } from '../../errors/command.ts';
import {
  compareItems,
  fileOf,
  partNames,
  planCommandOf,
  readFolder,
  requireExport,
  type Difference,
  type PartName,
} from '../../features/account-files/index.ts';
import { serviceOf } from '../../features/bulk/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { warnOfOmitted } from '../../features/resource-plan/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { differenceRows, type AccountDifference } from './diff.rows.ts';
import { readAccount } from './read-account.ts';
import { readFiles } from './read-files.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

export interface AccountDiffOptions {
  readonly folder: string;
  readonly detailedExitcode?: boolean;
}

/** `account diff DIR`: the differences between an exported folder and the account. */
export async function diffAccount(ctx: Context, options: AccountDiffOptions): Promise<ExitCode> {
  const { folder } = options;
  const path = resolve(ctx.cwd, folder);
  const { manifest, texts, notes } = requireExport(await readFolder(path, folder), folder, serviceOf(ctx));
  for (const note of notes) ctx.out.note(note);
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const parts = partNames.filter((part) => texts[part] !== undefined);
  const account = await readAccount(ctx, api, directory, { parts, personal: manifest.personal });
  const items = await readFiles(ctx, texts, directory, account);
  const found = account.parts.map(({ part, items: present, defaults }) => ({
    part,
    differences: compareItems(items.get(part) ?? new Map(), present, defaults),
  }));
  const rows = found.flatMap(({ part, differences }) => differences.map((one) => rowOf(part, one)));
  await ctx.out.list<AccountDifference>(rows, differenceRows.list);
  for (const { part, items: present } of account.parts)
    for (const { key, title, omitted = {} } of present.values())
      if (items.get(part)?.has(key)) warnOfOmitted(ctx, title, omitted);
  for (const { part, differences } of found) noteNextStep(ctx, folder, part, differences);
  return rows.length > 0 && options.detailedExitcode ? Exit.changesPresent : Exit.ok;
}

function rowOf(part: PartName, difference: Difference): AccountDifference {
  const { key: id, title, kind, name, inFolder, inAccount } = difference;
  return { file: fileOf(part), id, title, kind, name, inFolder, inAccount };
}

/** Writes a note with the plan command of a file, and notes about items and values that no plan can change. */
function noteNextStep(
  { out }: Pick<Context, 'out'>,
  folder: string,
  part: PartName,
  differences: readonly Difference[],
): void {
  const others = differences.filter(({ isPlanned }) => !isPlanned);
  if (differences.length > others.length)
    out.note(
      nextStep`To change the account to match ${fileOf(part)}, start with ${planCommandOf(part, join(folder, fileOf(part)))}`,
    );
  const items = others.filter(({ kind }) => kind === 'missing').length;
  const exported = nextStep`run ${ucctl`account export ${join(folder)}`}`;
  if (items > 0)
    out.note(
      nextStep`${counted(items, 'item')} in the account ${isOrAre(items)} not in ${fileOf(part)}. To add ${items === 1 ? 'it' : 'them'}, ${exported}`,
    );
  const values = others.filter(({ kind, isOmitted }) => kind !== 'missing' && !isOmitted).length;
  const [them, each] = values === 1 ? ['it', 'it'] : ['them', 'each'];
  if (values > 0)
    out.note(
      nextStep`${counted(values, 'value')} in the account ${isOrAre(values)} not in ${fileOf(part)}, so no plan changes ${them}. To add ${them}, ${exported}. To remove ${them} from the account, set ${each} to null in the file; if the plan rejects null, use the account portal`,
    );
}
