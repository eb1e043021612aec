import { z } from 'zod';
import { operationsOf } from '../../contract/operations.ts';
import { faultKinds } from '../control/fault-request.ts';
import { route, type ControlRoute } from '../control/route.ts';
import { fixtures } from '../fixtures/fixtures.ts';
import type { World } from '../world/world.ts';
import { listCalls } from './calls.ts';
import { messageContent, recordingContent } from './content.ts';
import { listEvents, readEvent } from './events.ts';
import { listThreads, readConversation } from './messages.ts';
import { listPhones } from './phones.ts';
import { changeAvailability, changeMember, listQueues } from './queues.ts';
import { changeStream } from './stream.ts';
import { deliveryStates } from '../subscriptions/delivery-store.ts';
import { receiverOf } from './receivers.ts';
import type { Choices, SubscriptionView } from './types.ts';

const Nothing = z.object({});
const WholeNumber = z.coerce.number().int().min(0);
const Window = z.object({
  search: z.string().max(200).optional(),
  limit: WholeNumber.max(500).default(100),
  offset: WholeNumber.default(0),
});
const Newest = Window.omit({ offset: true });
const EventQuery = Newest.extend({ state: z.enum(deliveryStates).optional() });
const ThreadQuery = Newest.extend({ extension: WholeNumber.optional() });
const ConversationQuery = z.object({ key: z.string(), limit: WholeNumber.max(2000).default(500) });

/** The operations of the control API from which the console reads, and the operations for queues. */
export const consoleRoutes: readonly ControlRoute[] = [
  route('GET', '/changes', Nothing, ({ world }) => changeStream(world)),
  route('GET', '/choices', Nothing, ({ world }) => choices(world)),
  route('GET', '/phones', Window, ({ world }, { search, ...window }) => listPhones(world, search, window)),
  route('GET', '/threads', ThreadQuery, ({ world }, { extension, search, limit }) =>
    listThreads(world, extension, search, limit),
  ),
  route('GET', '/threads/:extension', ConversationQuery, ({ world }, { key, limit }, { extension }) =>
    readConversation(world, Number(extension), key, limit),
  ),
  route('GET', '/messages/:id/content/:attachment', Nothing, ({ world }, _input, { id, attachment }) =>
    messageContent(world, Number(id), Number(attachment)),
  ),
  route('GET', '/events', EventQuery, ({ world }, { limit, ...filter }) => listEvents(world, filter, limit)),
  route('GET', '/events/:id', Nothing, ({ world }, _input, { id = '' }) => readEvent(world, id)),
  route('GET', '/calls', Window, ({ world }, { search, ...window }) => listCalls(world, search, window)),
  route('GET', '/recordings/:id/content', Nothing, ({ world }, _input, { id }) =>
    recordingContent(world, Number(id)),
  ),
  route('GET', '/queues', Window, ({ world }, { search, ...window }) => listQueues(world, search, window)),
  route('POST', '/queues/:queue/members/:extension', Nothing, ({ world }, _input, params) =>
    world.inTransaction(() => changeMember(world, params['queue'] ?? '', params['extension'] ?? '', true)),
  ),
  route('DELETE', '/queues/:queue/members/:extension', Nothing, ({ world }, _input, params) =>
    world.inTransaction(() => changeMember(world, params['queue'] ?? '', params['extension'] ?? '', false)),
  ),
  route(
    'PATCH',
    '/queues/:queue/members/:extension',
    z.strictObject({ accepts: z.boolean() }),
    ({ world }, { accepts }, params) =>
      world.inTransaction(() =>
        changeAvailability(world, params['queue'] ?? '', params['extension'] ?? '', accepts),
      ),
  ),
  route('GET', '/subscribers', Nothing, ({ world }) => ({ records: subscribers(world) })),
];

function choices(world: World): Choices {
  return {
    fixtures: Object.keys(fixtures),
    faults: faultKinds,
    operations: [...operationsOf(world.dialectName).keys()],
  };
}

/** Returns the subscriptions without their secrets. */
function subscribers(world: World): readonly SubscriptionView[] {
  return world.subscriptions.all().map((row) => ({
    id: row.id,
    filters: row.eventFilters,
    transport: row.transportType,
    address: receiverOf(world, row),
    status: row.status,
    expires: world.clock.iso(row.expiresAt),
  }));
}
