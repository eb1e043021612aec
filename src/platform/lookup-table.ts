/**
 * Returns a table for keys from outside, such as words in a reply or names in a file. An object literal also has the members of
 * `Object.prototype`, so it would return a function for the key `constructor`.
 */
export function lookupTable<V>(entries: Readonly<Record<string, V>>): Readonly<Record<string, V>> {
  return Object.assign(Object.create(null) as Record<string, V>, entries);
}
