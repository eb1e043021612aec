import type { Extension } from '../../contract/extension.ts';
import { distance } from '../../platform/suggest.ts';
import { titleOf } from '../../runtime/with-number.ts';
import {
  fold,
  inScope,
  type FindableExtension,
  type NamedExtension,
  type NameIndex,
  type Scope,
} from './match.ts';

const maxSuggestions = 3;

/** Describes an extension in a list of candidates. */
export function describeExtension(extension: FindableExtension): string {
  const parts = [
    extension.extensionNumber ?? 'no number',
    extension.name,
    extension.contact?.email,
    extension.type,
    extension.status === 'Enabled' ? undefined : extension.status,
    `ID ${extension.id}`,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Returns the names similar to a mistyped name, best first. */
export function nearest(text: string, scope: Scope, { named }: Pick<NameIndex, 'named'>): readonly string[] {
  const searched = fold(text);
  const limit = Math.max(1, Math.min(4, Math.floor(searched.length / 3)));
  const scored = named
    .filter(({ extension }) => inScope(extension, scope))
    .map((one) => ({ extension: one.extension, edits: distanceTo(searched, one, limit) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return scored.slice(0, maxSuggestions).map(({ extension }) => titleOf(extension));
}

/** Returns the extension of a number to which a spreadsheet or a person has added zeros: 201 for `0201`. */
export function withoutZeros(text: string, { byKey }: Pick<NameIndex, 'byKey'>): Extension | undefined {
  const digits = /^0+(\d+)$/.exec(fold(text))?.[1];
  return digits === undefined
    ? undefined
    : byKey.get(digits)?.find(({ extensionNumber }) => extensionNumber === digits);
}

function distanceTo(searched: string, { keys }: NamedExtension, limit: number): number {
  // A text with an @ is compared only with e-mail addresses.
  const compared = keys.filter((key) => !searched.includes('@') || key.includes('@'));
  const distances = compared.map((key) => {
    // A name that contains the text counts as similar, regardless of its length.
    if (searched.length >= 3 && key.includes(searched)) return 0.5;
    return Math.abs(key.length - searched.length) > 3 ? Infinity : distance(searched, key, limit);
  });
  return Math.min(Infinity, ...distances);
}
