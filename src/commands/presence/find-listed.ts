import { cellPlace, type ListProblem } from '../../features/bulk/index.ts';
import type { Directory } from '../../features/directory/index.ts';
import type { ListedWish, RefusedPerson } from '../../features/presence/index.ts';
import type { NameMiss } from '../../runtime/lookup.ts';
import type { WishFor } from './set-many.ts';

/** The rows of a list with the people whom they name. */
export interface FoundWishes {
  /** Of each person once. */
  readonly wishes: readonly WishFor[];
  /** Rows that name nobody, and why. */
  readonly refused: readonly RefusedPerson[];
  readonly misses: readonly NameMiss[];
  /** Rows that wish another thing of a person than a row above. */
  readonly contradictions: readonly ListProblem[];
}

/** Finds everyone; a row that says the same of the same person again is left out. */
export async function findListed(directory: Directory, listed: readonly ListedWish[]): Promise<FoundWishes> {
  const wishes = new Map<string, WishFor>();
  const refused: RefusedPerson[] = [];
  const misses: NameMiss[] = [];
  const contradictions: ListProblem[] = [];
  for (const { place, row, extension: who, fields, queueCalls } of listed) {
    const lookup = await directory.extension(who);
    if (!lookup.found) {
      misses.push(lookup);
      const code = lookup.kind === 'ambiguous' ? 'ambiguous_name' : 'not_found';
      refused.push({ who, row, code, place: cellPlace(place, 'extension'), message: lookup.message });
      continue;
    }
    const { id, name } = lookup.found;
    const earlier = wishes.get(String(id));
    if (!earlier) {
      wishes.set(String(id), { fields, queueCalls, person: { id, extension: lookup.found }, row, place });
    } else if (
      JSON.stringify([earlier.fields, earlier.queueCalls]) !== JSON.stringify([fields, queueCalls])
    ) {
      const text = `${name} is in line ${earlier.place?.line} already, with other values`;
      contradictions.push({ place: cellPlace(place, 'extension'), text });
    }
  }
  return { wishes: [...wishes.values()], refused, misses, contradictions };
}
