import type { Extension } from '../../contract/extension.ts';
import { distance } from '../../platform/suggest.ts';
import { fold, inScope, keysOf, type Scope } from './match.ts';

const suggestions = 3;

/** One extension in a list of candidates. */
export function describeExtension(extension: Extension): string {
  const parts = [
    extension.extensionNumber ?? 'no number',
    extension.name,
    extension.contact?.email,
    extension.type,
    extension.status === 'Enabled' ? undefined : extension.status,
    `id ${extension.id}`,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** The names nearest to a mistyped one, best first; none when nothing is near. */
export function nearest(text: string, scope: Scope, extensions: readonly Extension[]): readonly string[] {
  const wanted = fold(text);
  const limit = Math.max(1, Math.min(4, Math.floor(wanted.length / 3)));
  const scored = extensions
    .filter((extension) => inScope(extension, scope))
    .map((extension) => ({ extension, edits: distanceTo(wanted, extension) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return scored.slice(0, suggestions).map(({ extension }) => nameOf(extension));
}

function nameOf(extension: Extension): string {
  return extension.extensionNumber ? `${extension.name} (${extension.extensionNumber})` : extension.name;
}

function distanceTo(wanted: string, extension: Extension): number {
  // Who types an e-mail address means an e-mail address.
  const keys = keysOf(extension).filter((key) => !wanted.includes('@') || key.includes('@'));
  const distances = keys.map((key) => {
    const folded = fold(key);
    // Part of a longer name is near, whatever is missing.
    if (wanted.length >= 3 && folded.includes(wanted)) return 0.5;
    return Math.abs(folded.length - wanted.length) > 3 ? Infinity : distance(wanted, folded);
  });
  return Math.min(Infinity, ...distances);
}
