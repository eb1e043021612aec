import { readFileSync } from 'node:fs';

/** Returns the address to which a page of `writeRedirectFile` takes the browser. */
export function addressInPage(file: string): string {
  const content = /content="0;url=([^"]*)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  return content.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
