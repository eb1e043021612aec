import { Document, visit } from 'yaml';
import { escapeYaml, hasUnsafe } from './terminal-text.ts';

/** Texts with a special meaning in YAML 1.1 (https://yaml.org/type/), which the library does not quote as values. */
const specialTexts = new Set(['=', '<<']);

/**
 * Returns a value as a YAML 1.2 document without folded lines. Programs that read YAML 1.1, such as PyYAML, read the same
 * values: texts such as `no` and `22:00` have quotation marks.
 * @param comment lines for people at the start of the document, without `#`
 */
export function yamlText(value: object, comment?: readonly string[]): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  if (comment) document.commentBefore = comment.map((line) => ` ${line}`).join('\n');
  // Control characters are escaped in double quotes, because no other YAML scalar allows escapes.
  visit(document, {
    Scalar(_key, node) {
      const { value: text } = node;
      if (typeof text === 'string' && (hasUnsafe(text) || specialTexts.has(text))) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeYaml(document.toString({ lineWidth: 0 }));
}
