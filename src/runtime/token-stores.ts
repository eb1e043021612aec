/** The token stores of one machine, as users name them. */
export const tokenStores = ['keychain', 'file', 'memory'] as const;
