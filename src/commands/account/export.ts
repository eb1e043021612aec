import { join, resolve } from 'node:path';
import {
  fileOf,
  makeExportFolder,
  partNames,
  planCommandOf,
  readFolder,
  replacedExport,
  requireNoEdits,
  requireSameService,
  writeFolder,
  type AccountFolder,
  type AccountTexts,
  type PartName,
} from '../../features/account-files/index.ts';
import { serviceOf, warningOfInterrupt } from '../../features/bulk/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { lockedFolder } from '../../features/output-path/index.ts';
import { warnOfOmitted } from '../../features/resource-plan/index.ts';
import { yamlText } from '../../platform/yaml-text.ts';
import type { Context } from '../../runtime/context.ts';
import { exportedFileRows, type ExportedFile } from './export.rows.ts';
import { readAccount, type AccountPart } from './read-account.ts';
import { hintText, nextStep, ucctl } from '../../errors/hint.ts';

export interface AccountExportOptions {
  readonly folder: string;
  readonly only: readonly PartName[];
  readonly personal?: boolean;
  readonly clobber?: boolean;
}

/** The account, and the times between which it was read (ISO 8601). */
interface Snapshot {
  readonly parts: readonly AccountPart[];
  readonly started: string;
  readonly created: string;
}

/** `account export DIR`: writes the account as files for the plan commands. */
export async function exportAccount(ctx: Context, options: AccountExportOptions): Promise<void> {
  const { folder, only, personal = false, clobber } = options;
  const path = resolve(ctx.cwd, folder);
  const service = serviceOf(ctx);
  // The folder is read before the account, so that a problem with the folder is reported at once.
  const readPresent = async (): Promise<AccountFolder | undefined> => {
    const present = clobber ? await replacedExport(path, service) : await readFolder(path, folder);
    if (present) requireSameService(present, folder, service, 'specify another folder, or use --clobber');
    return present;
  };
  await readPresent();
  const api = await ctx.api();
  const parts = only.length > 0 ? only : partNames;
  const time = (): string => new Date(ctx.now()).toISOString();
  const read = async (): Promise<Snapshot> => {
    const started = time();
    const account = await warningOfInterrupt(
      ctx,
      () => 'no file was written',
      async () => {
        const whole = await readAccount(ctx, api, openDirectory(api, ctx.signal), { parts, personal });
        ctx.signal.throwIfAborted();
        return whole;
      },
    );
    return { parts: account.parts, started, created: time() };
  };
  const first = await read();
  const real = await makeExportFolder(path, folder);
  const written = await lockedFolder(ctx, 'export', { real, shown: folder }, async () => {
    const earlier = await readPresent();
    // Another export may have written a later state of the account in the meantime.
    const latest = earlier && earlier.manifest.created > first.started ? await read() : first;
    const texts: AccountTexts = Object.fromEntries(latest.parts.map((part) => [part.part, textOf(part)]));
    if (earlier && !clobber) requireNoEdits(earlier, texts, folder);
    await writeFolder(path, texts, { created: latest.created, service, personal, earlier });
    return latest.parts;
  });
  const rows = written.map(({ part, items }): ExportedFile => ({
    file: join(folder, fileOf(part)),
    items: items.size,
    plan: hintText(planCommandOf(part, join(folder, fileOf(part)))),
  }));
  for (const { items } of written)
    for (const { title, omitted = {} } of items.values()) warnOfOmitted(ctx, title, omitted);
  await ctx.out.list<ExportedFile>(rows, exportedFileRows.list);
  ctx.out.note(nextStep`To compare the folder with the account: ${ucctl`account diff ${join(folder)}`}`);
}

function textOf({ part, document }: AccountPart): string {
  return yamlText(document, [
    `${titles[part]}. To show the changes that your edits would make: ${hintText(planCommandOf(part, fileOf(part)))}`,
  ]);
}

const titles: Readonly<Record<PartName, string>> = {
  queues: 'Queues with settings and agents',
  people: 'People',
  hours: 'Business hours',
  rules: 'Answering rules',
};
