import { resolve } from 'node:path';
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
import { counted, isOrAre } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { differenceRows, type AccountDifference } from './diff.rows.ts';
import { pathIn } from './path-in.ts';
import { readAccount } from './read-account.ts';
import { readFiles } from './read-files.ts';

export interface AccountDiffOptions {
  readonly folder: string;
  readonly detailedExitcode?: boolean;
}

/** `account diff DIR`: the differences between an exported folder and the account. */
export async function diffAccount(ctx: Context, options: AccountDiffOptions): Promise<ExitCode> {
  const { folder } = options;
  const path = resolve(ctx.cwd, folder);
  const { manifest, texts } = requireExport(await readFolder(path, folder), folder, serviceOf(ctx));
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const parts = partNames.filter((part) => texts[part] !== undefined);
  const account = await readAccount(ctx, api, directory, { parts, personal: manifest.personal });
  const items = await readFiles(ctx, texts, directory, account);
  const found = account.parts.map(({ part, items: present }) => ({
    part,
    differences: compareItems(items.get(part) ?? new Map(), present),
  }));
  const rows = found.flatMap(({ part, differences }) => differences.map((one) => rowOf(part, one)));
  await ctx.out.list<AccountDifference>(rows, differenceRows.list);
  for (const { part, differences } of found) noteNextStep(ctx, folder, part, differences);
  return rows.length > 0 && options.detailedExitcode ? Exit.changesPresent : Exit.ok;
}

function rowOf(part: PartName, { key, ...rest }: Difference): AccountDifference {
  return { file: fileOf(part), id: key, ...rest };
}

/** Writes a note with the plan command of a file, and a note about items that no plan can change. */
function noteNextStep(
  { out }: Pick<Context, 'out'>,
  folder: string,
  part: PartName,
  differences: readonly Difference[],
): void {
  const onlyAccount = differences.filter(({ kind, inAccount }) => kind === 'missing' && inAccount === true);
  if (differences.length > onlyAccount.length)
    out.note(
      `To change the account to match ${fileOf(part)}, start with ucctl ${planCommandOf(part, pathIn(folder, fileOf(part))).ucctl}`,
    );
  const count = onlyAccount.length;
  if (count > 0)
    out.note(
      `${counted(count, 'item')} in the account ${isOrAre(count)} missing from ${fileOf(part)}. To add ${count === 1 ? 'it' : 'them'}, run ucctl account export ${pathIn(folder)}`,
    );
}
