import { bodyOf, type Answer } from '../content.ts';
import { isList } from '../shape.ts';
import { idText } from '../world.ts';

export const audit = {
  searchAuditTrail: (asked) => {
    const { actionIds } = bodyOf(asked);
    const wanted = isList(actionIds) ? actionIds.map(idText) : [];
    const rows = asked.world.auditRecords.filter(
      ({ value }) => wanted.length === 0 || wanted.includes(idText(value['actionId'])),
    );
    return { kind: 'list', rows };
  },
} satisfies Readonly<Record<string, Answer>>;
