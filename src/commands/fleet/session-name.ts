/** Returns the name of a sign-in for people: the profile or, if the sign-in is not enrolled, the beginning of the hash of the budget. */
export function sessionName({
  profile,
  owner,
}: {
  readonly profile: string | null;
  readonly owner: string;
}): string {
  return profile ?? owner.slice(0, 8);
}
