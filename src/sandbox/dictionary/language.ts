/** Languages of country names; all other text is English. */
const languages = [
  'en-US',
  'en-GB',
  'de-DE',
  'es-ES',
  'es-419',
  'fr-FR',
  'fr-CA',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'nl-NL',
  'pt-BR',
  'zh-CN',
] as const;

/** Returns the language of a reply: the best supported language of Accept-Language, otherwise English. */
export function chosenLanguage(header: string | null): string {
  const preferences = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of preferences) {
    const exact = languages.find((language) => language.toLowerCase() === tag);
    const near = languages.find((language) => language.split('-')[0] === tag.split('-')[0]);
    if (exact ?? near) return exact ?? near ?? languages[0];
  }
  return languages[0];
}
