import { bodyOf, done, notFound, recordOr404, type Answer } from '../content.ts';
import { idOf } from '../make.ts';
import { callSyncInfo, recordingInfo, ringOut } from '../shapes/calls.ts';
import { change, idText } from '../world.ts';
import { matches, several } from './directory.ts';

export const calls = {
  listCalls: (asked) => ({
    kind: 'list',
    rows: asked.world.calls.filter((row) =>
      ['sessionId', 'direction', 'type'].every((name) => matches(row, name, several(asked, name))),
    ),
  }),
  readCall: ({ parameters, world }) => ({
    kind: 'several',
    parts: (parameters['call'] ?? '').split(',').map((id) => ({
      id,
      row: [...world.calls, ...world.activeCalls].find(({ value }) => idText(value['id']) === id),
    })),
  }),
  syncCalls: ({ request, world }) => ({
    kind: 'sync',
    rows: world.calls,
    info: world.row(callSyncInfo, {
      syncType: request.url.searchParams.get('syncType') ?? 'FSync',
      syncToken: `calls-${world.dice.integer(1, 1e9)}`,
      syncTime: new Date(world.setting.now).toISOString(),
    }),
  }),
  listActiveCalls: (asked) => ({
    kind: 'list',
    rows: asked.world.activeCalls.filter((row) => matches(row, 'direction', several(asked, 'direction'))),
  }),
  readRecording: ({ parameters, world }) => {
    const { recording: id = '0' } = parameters;
    const origin = `${world.setting.origin}/restapi/v1.0/account/1/recording/${id}`;
    const given = { id: BigInt(id), uri: origin, contentUri: `${origin}/content` };
    return { kind: 'record', row: world.row(recordingInfo, given) };
  },
  readRecordingContent: () => ({ kind: 'media' }),

  startRingOut: (asked) => {
    const { world } = asked;
    const { from, to } = bodyOf(asked);
    if (to === undefined && from === undefined) return notFound('to');
    const id = idOf(world.dice);
    const status = { callStatus: 'InProgress', callerStatus: 'InProgress', calleeStatus: 'InProgress' };
    const uri = `${world.setting.origin}/restapi/v1.0/account/1/extension/2/ring-out/${id}`;
    const row = world.row(ringOut, { id, uri, status });
    world.ringOuts.push(row);
    return { kind: 'record', row };
  },
  readRingOut: ({ parameters, world }) =>
    recordOr404(
      world.ringOuts.find(({ value }) => idText(value['id']) === parameters['ringOut']),
      'ringOutId',
    ),
  cancelRingOut: ({ parameters, world }) => {
    const row = world.ringOuts.find(({ value }) => idText(value['id']) === parameters['ringOut']);
    if (!row) return notFound('ringOutId');
    const status = { callStatus: 'CannotReach', callerStatus: 'Finished', calleeStatus: 'Rejected' };
    change(row, { status });
    return done;
  },
} satisfies Readonly<Record<string, Answer>>;
