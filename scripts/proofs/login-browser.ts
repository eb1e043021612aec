export async function run(): Promise<readonly []> {
  return [];
}
