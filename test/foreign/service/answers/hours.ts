import { bodyOf, done, notFound, recordOr404, type Answer, type Asked } from '../content.ts';
import { answeringRule } from '../shapes/hours.ts';
import { change, idText, type Row } from '../world.ts';

function ruleOf({ parameters, world }: Asked): Row | undefined {
  return world.rules.find(({ value }) => idText(value['id']) === parameters['rule']);
}

const hoursOf = ({ parameters, world }: Asked): Row => world.hoursOf(parameters['extension'] ?? 'company');

export const hours = {
  readHours: (asked) => ({ kind: 'record', row: hoursOf(asked) }),
  updateHours: (asked) => {
    const row = hoursOf(asked);
    const { schedule } = bodyOf(asked);
    if (schedule !== undefined) change(row, { schedule });
    return { kind: 'record', row };
  },
  listRules: ({ world }) => ({ kind: 'list', rows: world.rules }),
  createRule: (asked) => {
    const { world } = asked;
    const given = { enabled: true, ...bodyOf(asked) };
    const row = world.row(
      answeringRule,
      { ...given, id: `rule-${world.dice.integer(1, 1e9)}` },
      Object.keys(given),
    );
    world.rules.push(row);
    return { kind: 'record', row };
  },
  readRule: (asked) => recordOr404(ruleOf(asked), 'ruleId'),
  updateRule: (asked) => {
    const row = ruleOf(asked);
    if (row) change(row, bodyOf(asked));
    return recordOr404(row, 'ruleId');
  },
  deleteRule: (asked) => {
    const row = ruleOf(asked);
    if (!row) return notFound('ruleId');
    asked.world.rules.splice(asked.world.rules.indexOf(row), 1);
    return done;
  },
} satisfies Readonly<Record<string, Answer>>;
