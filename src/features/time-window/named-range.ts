import { fullTime } from '../../platform/moment.ts';
import { nextStep } from '../../errors/hint.ts';
import type { View } from '../../runtime/output.ts';
import type { Window } from './window.ts';

/** Returns a view that names the time range of the options if the list is empty. */
export function withRange<T>(view: View<T>, { from, to, zone }: Window): View<T> {
  const { empty } = view;
  if (!empty || (from === undefined && to === undefined)) return view;
  const time = (at: number): string => fullTime(new Date(at).toISOString(), zone);
  const start = from === undefined ? '' : `${to === undefined ? 'since ' : ''}${time(from)}`;
  const end = to === undefined ? '' : `${from === undefined ? 'before' : ' to'} ${time(to)}`;
  return { ...view, empty: nextStep`${empty} Time range: ${start}${end} (${zone}).` };
}
