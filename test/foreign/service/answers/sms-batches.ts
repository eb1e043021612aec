import { bodyOf, recordOr404, type Answer } from '../content.ts';
import type { Dice } from '../../../support/dice.ts';
import { isList, isMembers, type Members, type Value } from '../shape.ts';
import { smsBatch, smsBatchMessage } from '../shapes/sms-batches.ts';
import { idText } from '../world.ts';

/** A rejection names its text by the position in the request, by the number, or by both. */
function rejectionOf(dice: Dice, index: number, to: Value): Members {
  return { ...dice.pick<Members>([{ index }, { to }, { index, to }]), errorCode: 'MSG-243' };
}

export const smsBatches = {
  createSmsBatch: (asked) => {
    const { world } = asked;
    const { from = '', text = '', messages = [] } = bodyOf(asked);
    const items = isList(messages) ? messages.filter(isMembers) : [];
    const rejected = items.flatMap(({ to = [] }, index) =>
      index > 0 && world.dice.chance(0.3) ? [rejectionOf(world.dice, index, to)] : [],
    );
    const row = world.row(smsBatch, { from, batchSize: items.length, rejected }, ['rejected']);
    world.smsBatches.push(row);
    const batchId = row.value['id'] ?? '';
    for (const { to = [], text: own = text } of items)
      world.smsBatchMessages.push(world.row(smsBatchMessage, { batchId, from, to, text: own }));
    return { kind: 'record', row };
  },
  listSmsBatches: ({ world }) => ({ kind: 'list', rows: world.smsBatches }),
  readSmsBatch: ({ world, parameters }) =>
    recordOr404(
      world.smsBatches.find(({ value }) => idText(value['id']) === parameters['batch']),
      'batchId',
    ),
  listSmsBatchMessages: ({ world, request }) => {
    const batch = request.url.searchParams.get('batchId');
    const rows = world.smsBatchMessages.filter(
      ({ value }) => batch === null || idText(value['batchId']) === batch,
    );
    return { kind: 'list', rows };
  },
} satisfies Readonly<Record<string, Answer>>;
