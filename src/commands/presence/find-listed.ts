import { cellPlace, type ListProblem } from '../../features/bulk/index.ts';
import type { Directory } from '../../features/directory/index.ts';
import type { ListedRequest, SkippedPerson } from '../../features/presence/index.ts';
import { hintText } from '../../errors/hint.ts';
import type { PersonRequest } from './set-many.ts';

/** The rows of a list with the people that the rows name. */
export interface FoundRequests {
  /** The requested presences, with one item for each person. */
  readonly requests: readonly PersonRequest[];
  /** Rows whose person was not found. */
  readonly skipped: readonly SkippedPerson[];
  /** A hint for each row in `skipped`, in the same order: ` (did you mean 201 (Support)?)`. */
  readonly hints: readonly string[];
  /** Rows whose values for a person differ from those of an earlier row. */
  readonly contradictions: readonly ListProblem[];
}

/** Looks up the people of a list; drops rows that repeat an earlier row. */
export async function findListed(
  directory: Directory,
  listed: readonly ListedRequest[],
): Promise<FoundRequests> {
  const requests = new Map<string, PersonRequest>();
  const skipped: SkippedPerson[] = [];
  const hints: string[] = [];
  const contradictions: ListProblem[] = [];
  for (const { place, row, extension: who, fields, queueCalls } of listed) {
    const lookup = await directory.extension(who);
    if (!lookup.found) {
      hints.push(lookup.kind === 'unknown' ? ` (${hintText(lookup.hint)})` : '');
      const code = lookup.kind === 'ambiguous' ? 'ambiguous_name' : 'not_found';
      skipped.push({ who, row, code, place: cellPlace(place, 'extension'), message: lookup.message });
      continue;
    }
    const { id, name } = lookup.found;
    const earlier = requests.get(String(id));
    if (!earlier) {
      requests.set(String(id), { fields, queueCalls, person: { id, extension: lookup.found }, row, place });
    } else if (
      JSON.stringify([earlier.fields, earlier.queueCalls]) !== JSON.stringify([fields, queueCalls])
    ) {
      const text = `${name} also appears on line ${earlier.place?.line}, with other values`;
      contradictions.push({ place: cellPlace(place, 'extension'), text });
    }
  }
  return { requests: [...requests.values()], skipped, hints, contradictions };
}
