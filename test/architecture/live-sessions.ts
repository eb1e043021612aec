import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** What a live session consists of: acquiring the receiver, creating its subscription, and renewing it. */
const parts: ReadonlySet<string> = new Set([
  'acquireReceiver',
  'SubscriptionLifecycle',
  'subscriptionFor',
  'startRenewal',
]);
const session = 'openLiveSession';

/** Whether a file composes a live session of its parts, and whether it opens one. */
export function liveSessionsOf(file: string, source: string): { composes: boolean; opens: boolean } {
  const called = new Set<string>();
  // Most files name none of them, and parsing takes time.
  if (![...parts, session].some((name) => source.includes(name))) return { composes: false, opens: false };
  const note = ({ callee }: ESTree.CallExpression | ESTree.NewExpression): void => {
    if (callee.type === 'Identifier') called.add(callee.name);
    if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier')
      called.add(callee.property.name);
  };
  new Visitor({ CallExpression: note, NewExpression: note }).visit(parseSync(file, source).program);
  return { composes: [...parts].some((name) => called.has(name)), opens: called.has(session) };
}
