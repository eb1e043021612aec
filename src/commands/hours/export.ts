import { fileDays, fileItem } from '../../features/hours/index.ts';
import { exportItems, omittedValues, warnOfOmitted } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import { hoursRows, type HoursRow } from './hours.rows.ts';
import { readHours, type OwnerOptions } from './owners.ts';

/** `hours export`: writes business hours as a file for `hours plan` and `hours apply`. */
export async function exportHours(ctx: Context, options: OwnerOptions): Promise<void> {
  const hours: HoursRow[] = [];
  const itemOf: typeof fileItem = (owner, name, values) => {
    warnOfOmitted(ctx, name, omittedValues(values, fileDays(values)));
    return fileItem(owner, name, values);
  };
  await ctx.out.progress('Reading business hours', async (update) => {
    for await (const row of readHours(ctx, options, itemOf)) {
      hours.push(row);
      update(String(hours.length));
    }
  });
  await exportItems(ctx, 'hours', hours, hoursRows.list);
}
