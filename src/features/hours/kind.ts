import type { Client, HoursOwner } from '../../client/index.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { ucctl } from '../../errors/hint.ts';
import { company } from '../../runtime/lookup.ts';
import type { Context } from '../../runtime/context.ts';
import {
  whoChanged,
  whoChangedCompany,
  type PresentResource,
  type ResourceKind,
} from '../resource-plan/index.ts';
import { completeWeek, days, scheduleOf, valuesOf } from './values.ts';

/** Kind of the runs that change business hours, in the journal. */
export const hoursRunKind = 'hours.schedule';

/** Returns the business hours of the company and of extensions as resources. */
export function hoursKind(ctx: Context, api: Client): ResourceKind {
  return {
    run: hoursRunKind,
    noun: 'schedule',
    what: 'change of business hours',
    label: 'Changing business hours',
    resume: ucctl('hours apply --resume'),
    maxItems: 1,
    complete: completeWeek,
    // A request can remove only the whole schedule.
    canRemove: (_day, removed) => removed.length === days.length,
    groups: { read: 'Light', readItems: 1, update: 'Medium' },
    async read(refs, signal) {
      const found = new Map<string, PresentResource>();
      for (const { key } of refs) {
        const hours = await api.businessHours.get(ownerOf(key), { signal }).catch(missing);
        if (hours) found.set(key, { id: key, values: valuesOf(hours) });
      }
      return found;
    },
    async send([change]) {
      if (!change) return {};
      const owner = ownerOf(change.key);
      // The service replaces the whole schedule, so the request also contains the days that do not change.
      const present = valuesOf(await api.businessHours.get(owner, { signal: ctx.signal }));
      let requestId: string | undefined;
      const onReply = (reply: { readonly requestId: string | undefined }): void => {
        requestId = reply.requestId;
      };
      const schedule = scheduleOf({ ...present, ...change.after });
      await api.businessHours.update(owner, { schedule }, { onReply });
      return { requestId };
    },
    async whoChanged(refs) {
      const keys = refs.map(({ key }) => key);
      const who = await whoChanged(
        ctx,
        api,
        keys.filter((key) => key !== company),
      );
      const ofCompany = keys.includes(company) ? await whoChangedCompany(ctx, api) : undefined;
      return ofCompany === undefined ? who : new Map([...who, [company, ofCompany]]);
    },
  };
}

function ownerOf(key: string): HoursOwner {
  return key === company ? 'company' : { extensionId: key };
}

/** An extension that no longer exists has no hours. */
function missing(error: unknown): undefined {
  if (!isMissingResource(error)) throw error;
}
