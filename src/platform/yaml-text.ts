import { Document, visit } from 'yaml';
import { escapeJson, hasUnsafe } from './terminal-text.ts';

/**
 * Returns a value as a YAML 1.2 document without folded lines.
 * @param comment lines for people at the start of the document, without `#`
 */
export function yamlText(value: object, comment?: readonly string[]): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  if (comment) document.commentBefore = comment.map((line) => ` ${line}`).join('\n');
  // Control characters are escaped in double quotes, because no other YAML scalar allows escapes.
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && hasUnsafe(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeJson(document.toString({ lineWidth: 0 }));
}
