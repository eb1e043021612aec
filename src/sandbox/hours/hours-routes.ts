import { weekdays, type BusinessHoursUpdate, type WeeklyRanges } from '../../contract/business-hours.ts';
import { auditActions, detailsOf, noteChange, noteCompanyChange } from '../audit/note.ts';
import { isAdministrator, readableExtension } from '../request/access.ts';
import { accountOf, extensionOf, type Authorized, type Guard, type Handler } from '../request/call.ts';
import { invalidParameter, userNotAllowed } from '../request/errors.ts';
import { accountPath, addressOf, extensionPath } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/** The hours before the first change: Monday to Friday (docs/internals/service-gaps.md). */
const defaultRanges: WeeklyRanges = Object.fromEntries(
  weekdays.slice(0, 5).map((day) => [day, [{ from: '09:00', to: '18:00' }]]),
);

/** Serves GET account/{accountId}/business-hours. */
export const readCompanyHours: Handler<'readCompanyHours'> = (call) => {
  const { id } = accountOf(call);
  return { json: toHours(call.world, id, accountPath(id)) };
};

/** Serves PUT account/{accountId}/business-hours. */
export const updateCompanyHours: Handler<'updateCompanyHours'> = (call) => {
  const { world, caller, body } = call;
  const { id } = accountOf(call);
  const { schedule } = body;
  if (schedule) save(world, id, { schedule });
  noteCompanyChange(world, caller.extension, auditActions.companyHours, detailsOf(body));
  return { json: toHours(world, id, accountPath(id)) };
};

/** Serves GET .../extension/{extensionId}/business-hours. */
export const readHours: Handler<'readHours'> = (call) => {
  const extension = readableExtension(call);
  return { json: toHours(call.world, extension.id, extensionPath(extension)) };
};

/** Serves PUT .../extension/{extensionId}/business-hours. */
export const updateHours: Handler<'updateHours'> = (call) => {
  const { world, caller, body } = call;
  const extension = extensionOf(call);
  save(world, extension.id, body);
  noteChange(world, caller.extension, auditActions.hours, extension, detailsOf(body));
  return { json: toHours(world, extension.id, extensionPath(extension)) };
};

/** Rejects changes of another extension by a user who is not an administrator. */
export const mayChangeExtension: Guard = (call: Authorized) => {
  const extension = extensionOf(call);
  if (extension.id === call.caller.extension.id || isAdministrator(call.caller.extension)) return;
  throw userNotAllowed('CMN-404', 'Only an administrator can change another extension');
};

function save(world: World, ownerId: number, { schedule }: BusinessHoursUpdate): void {
  for (const [day, ranges = []] of Object.entries(schedule.weeklyRanges ?? {})) {
    for (const [index, { from = '', to = '' }] of ranges.entries())
      if (from >= to)
        throw invalidParameter(
          `schedule.weeklyRanges.${day}[${index}]`,
          'the time range ends before it begins',
        );
  }
  world.hours.saveSchedule(ownerId, JSON.stringify(schedule));
}

function toHours(world: World, ownerId: number, path: string) {
  const stored = world.hours.schedule(ownerId);
  return {
    uri: addressOf(world, `${path}/business-hours`),
    schedule: stored === undefined ? { weeklyRanges: defaultRanges } : (JSON.parse(stored) as unknown),
  };
}
